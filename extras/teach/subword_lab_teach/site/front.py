"""The front page: a field whose text is merged before one's eyes, what it costs in bytes, and the lessons as pictures.

The page is one file; one more, with GPT-4o's vocabulary, is loaded when somebody asks for it. Its scripts are ES
modules, in `subword_lab/views/static` and beside this file; `bundled` puts them into one. `front/english.txt` holds the
merges that replay on a text too short to learn from: "left right count" a line, in the order in which BPE learns them
from the 164,851 words of letters in WikiText-2's validation text.
"""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from subword_lab import lessons
from subword_lab.html import Html, pieces, tag
from subword_lab.interchange.published import read_published
from subword_lab.views.player import bundled, static
from subword_lab.views.trainer import pattern

from .. import read

PREVIEW = Path(__file__).with_name("front") / "preview.png"  # what a link to the page shows
SHARED = (
    "widget.js",
    "merging.js",
    "motion.js",
    "merge_player.js",
)  # each needs only those before it
TITLE = "How is text cut into tokens? · subword-lab"
SUMMARY = "Type your name and watch its letters become tokens, merge by merge. A course on BPE, WordPiece and Unigram."
POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline' 'self'; img-src 'self' data: blob:; "
    "base-uri 'none'; form-action 'none'"
)
VOCABULARY = "gpt4o.js"
GPT_4O = Html(
    '<label><input class="hide" type="radio" name="source" value="gpt4o"><span>GPT-4o</span></label>'
)
ICON = (
    "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E"
    "%3Crect y='6' width='19' height='20' rx='5' fill='%23f97b45'/%3E"
    "%3Crect x='21' y='6' width='11' height='20' rx='5' fill='%232f8fb3'/%3E%3C/svg%3E"
)
WORKING = (
    "Or work in it: then it opens as a notebook, with a Python that runs inside your browser. The first time, that "
    "takes a little while to arrive: it is some megabytes. Nothing is installed and nothing is sent away. What you "
    "write and what you have done stay in this browser, as files that you can download; progress.jsonl, beside the "
    "notebooks, holds your answers."
)


def front_page(
    addresses: Sequence[tuple[str, str]],
    others: Iterable[Html],
    site: str = "",
    has_vocabulary: bool = False,
) -> str:
    """The page.

    addresses: where each lesson is read, and where it is worked in, if anywhere. others: links for the foot of the
    page. site: its own address, which the pictures of links need. has_vocabulary: whether the script that `vocabulary`
    makes stands beside it.
    """
    style = static("design.css") + static("merge_player.css") + read("site", "front", "front.css")
    script = bundled(*map(static, SHARED), read("site", "front", "front.js"))
    body = read("site", "front", "front.html").format(
        first=addresses[0][0],
        cards="\n".join(map(_card, lessons.LESSONS, *zip(*addresses, strict=True))),
        english=read("site", "front", "english.txt"),
        gpt4o=GPT_4O if has_vocabulary else "",
        working=tag("p", WORKING, class_="note") if addresses[0][1] else "",
        others=pieces(*others, between=" · "),
    )
    return "\n".join(
        (
            '<!doctype html>\n<html lang="en">\n<head>',
            tag("meta", charset="utf-8"),
            tag("meta", http_equiv="Content-Security-Policy", content=POLICY),
            tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
            tag("title", TITLE),
            tag("meta", name="description", content=SUMMARY),
            tag("meta", property="og:title", content=TITLE),
            tag("meta", property="og:description", content=SUMMARY),
            tag("meta", property="og:image", content=site + PREVIEW.name),
            f'<link rel="icon" href="{ICON}">',
            tag("style", Html(style)),
            f"</head>\n<body>\n{body}",
            tag("script", Html(script), type="module"),
            "</body>\n</html>\n",
        )
    )


def vocabulary() -> str:
    """GPT-4o's pattern, and its tokens in the order of their ids, as the script that the page asks for.

    Raises ImportError where the package that carries them is missing.
    """
    tokens = "\n".join(read_published("o200k_base").model.vocab)
    return (
        f"takeVocabulary({json.dumps(pattern('o200k'))}, {json.dumps(tokens, ensure_ascii=False)});"
    )


def _card(lesson: lessons.Lesson, page: str, work: str) -> str:
    picture = Html(read("site", "front", f"pictures/{lesson.name}.svg").strip())
    about = tag("p", tag("span", lesson.number), tag("span", f"{lesson.minutes} minutes"))
    heading = pieces(tag("h3", lesson.title), tag("span", lesson.question))
    card = tag("a", picture, about, heading, class_="card", href=page)
    return tag("li", card, tag("a", "Work in it", class_="work", href=work) if work else None)
