"""The front page: a field whose text is merged before one's eyes, what it costs in bytes, and the lessons as pictures.

The page is one file; one more, with GPT-4o's vocabulary, is loaded when somebody asks for it. Its scripts are ES
modules, in `subword_lab/views/static` and beside this file; `bundled` puts them into one. `front/english.txt` holds the
merges that replay on a text too short to learn from: "left right count" a line, in the order in which BPE learns them
from the 164,851 words of letters in WikiText-2's validation text.
"""

import json

from subword_lab import lessons
from subword_lab.interchange.published import read_published
from subword_lab.views.player import bundled, static
from subword_lab.views.trainer import pattern

from .. import filled, read

PREVIEW = "preview.png"  # what a link to the page shows
# Each needs those before it.
SCRIPTS = (
    "widget.js",
    "merging.js",
    "motion.js",
    "merge_player.html",
    "merge_player.js",
    "picture.js",
)
VOCABULARY = "gpt4o.js"
ICON = (
    "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E"
    "%3Crect y='6' width='19' height='20' rx='5' fill='%23f97b45'/%3E"
    "%3Crect x='21' y='6' width='11' height='20' rx='5' fill='%232f8fb3'/%3E%3C/svg%3E"
)
# One sentence in four languages, a bar between what a reader sees as letters; the others are compared with English.
SENTENCES = [
    ("English", "en", "T|h|e| |c|a|t| |s|i|t|s| |o|n| |t|h|e| |c|a|r|p|e|t|."),
    ("Russian", "ru", "К|о|ш|к|а| |с|и|д|и|т| |н|а| |к|о|в|р|е|."),
    ("Chinese", "zh", "猫|坐|在|地|毯|上|。"),
    ("Burmese", "my", "ကြေ|ာ|င်|သ|ည်| |ကေ|ာ်|ဇေ|ာ|ပေ|ါ်|တွ|င်| |ထို|င်|နေ|သ|ည်|။"),
]


def front_page(
    others: dict[str, str],
    repository: str = "",
    *,
    has_lab: bool = False,
    has_vocabulary: bool = False,
) -> str:
    """The page. others: what else there is to read, page -> title; the rest is as for `pages.write_pages`."""
    owner, _, name = repository.partition("/")
    return filled(
        "site/front/front.html",
        style=static("design.css")
        + static("merge_player.css")
        + read("site", "front", "front.css"),
        script=bundled(*map(static, SCRIPTS), read("site", "front", "front.js")),
        icon=ICON,
        english=read("site", "front", "english.txt"),
        sentences=SENTENCES,
        lessons=lessons.LESSONS,
        pictures={it: read("site", "front", "pictures", f"{it}.svg") for it in lessons.names()},
        address=f"https://{owner}.github.io/{name}/" if repository else "",
        others=others,
        repository=repository,
        has_lab=has_lab,
        has_vocabulary=has_vocabulary,
    )


def vocabulary() -> str:
    """GPT-4o's pattern, and its tokens in the order of their ids, as the script that the page asks for.

    Raises ImportError where the package that carries them is missing.
    """
    tokens = "\n".join(read_published("o200k_base").model.vocab)
    return (
        f"takeVocabulary({json.dumps(pattern('o200k'))}, {json.dumps(tokens, ensure_ascii=False)});"
    )
