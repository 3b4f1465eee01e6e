"""The pages to read: a start page, and each lesson with its text, its code and what came of it.

A page needs nothing from the network, and its players move. Where a notebook says that a cell is to be run, the page
has a link to where that can be done. The start page has a field whose text is merged before one's eyes, what it costs
in bytes, and the lessons as pictures; one more file, with GPT-4o's vocabulary, is loaded when somebody asks for it. Its
scripts are ES modules, in `subword_lab/views/static` and in `front`; `bundled` puts them into one. `front/english.txt`
holds the merges that replay on a text too short to learn from: "left right count" a line, in the order in which BPE
learns them from the 164,851 words of letters in WikiText-2's validation text.
"""

import json
import re
from base64 import b64decode
from collections.abc import Iterator
from functools import partial
from itertools import count
from pathlib import Path
from shutil import copyfile
from typing import Any

from subword_lab import lessons
from subword_lab.files import write_whole
from subword_lab.html import Html, details, gathered, pieces, styled, tag, to_html
from subword_lab.interchange.published import read_published
from subword_lab.views.plain import highlighted
from subword_lab.views.player import bundled, static, within
from subword_lab.views.trainer import pattern

from .. import GUIDE, filled, read
from .answers import with_cards
from .lab import LAB

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
READ = {
    lessons.GALLERY: "The gallery: everything to play with",
    lessons.GLOSSARY: "The glossary",
    lessons.SOURCES: "The sources, claim by claim",
    GUIDE.name: "For whoever teaches",
}  # beside the lessons
CELLS = {  # what outputs say of their cell, and what is true on a page
    r"Run this cell to do so here, or write it in the cell below: .*?\.(?=</p>)": (
        "{} to be told what is right about it."
    ),
    r"in the cell below, and run that cell: it is checked there\.": "where it is checked: {}.",
    r"Run this cell in a notebook, and you can change everything\.": "{live}",
    r"In a notebook, run this cell and answer here[,.] [Oo]r .*?\.(?=</p>)": "To answer, {}.",
    r"run this cell\.": "{}.",
}
HERE = "To change it, open this page in JupyterLab. On the {}, a text of your own becomes tokens at once."
UNANSWERED = ": not attempted."  # what comes of a cell that waits for an answer
READER = "tokenizers.js"  # the script that reads a tokenizer.json, which pages load when a reader opens one
EXERCISE = '<div role="group" aria-label="'  # or the practice, as the checker draws them
PICTURE = re.compile(
    "<svg|<img|<table|<details|sl-token|sl-compared|<subword-|sl-frames|you can change everything"
)
PANELS = {".sl-card, .sl-play": "controls.css", ".sl-card": "card.css", ".sl-play": "play.css"}
BROUGHT = re.compile(r"<(style|script)>.*?</\1>", re.DOTALL)
PLAYS_HERE = (
    "document.currentScript"  # in the script of a player, which plays what stands before it
)
FIGURE = '<img src="data:image/svg\\+xml;base64,([^"]*)"[^>]*( style="[^"]*")/>'
FOLDED = "<details><summary>Code</summary>"
# One after another.
AGAIN = re.compile(f"(?:{FOLDED}(?:(?!</?details>).)*</details>){{2,}}", re.DOTALL)
FORMULA = re.compile(r"\$\$(.+?)\$\$|(?<![`\w])\$([^$`\n]+)\$", re.DOTALL)


def write_pages(
    out: Path,
    repository: str = "",
    *,
    has_lab: bool = True,
    has_reference: bool = True,
    has_vocabulary: bool = False,
) -> Path:
    """Write the start page and a page for each notebook into `out`; the start page's path.

    repository: see `build`. has_lab, has_reference, has_vocabulary: whether there is something to lead to.
    """
    shown = [(lesson.file, lesson.heading) for lesson in lessons.LESSONS] + list(READ.items())
    out.mkdir(parents=True, exist_ok=True)
    for before, (file, title), behind in zip([None, *shown], shown, [*shown[1:], None]):
        path = GUIDE if file == GUIDE.name else lessons.folder() / file
        beside = {where: it for where, it in (("Previous", before), ("Next", behind)) if it}
        write_whole(out / Path(file).with_suffix(".html"), _lesson(path, title, beside, has_lab))
    others = {file.replace(".ipynb", ".html"): title for file, title in READ.items()}
    if has_reference:
        others["reference/subword_lab.html"] = "The package's reference"
    owner, _, name = repository.partition("/")
    start = filled(
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
    write_whole(out / "index.html", start)
    copyfile(Path(__file__).with_name("front") / PREVIEW, out / PREVIEW)
    license, library = (
        read("site", "huggingface", name) for name in ("LICENSE", "tokenizers.min.cjs")
    )
    write_whole(
        out / READER,
        f"/*\n{license}\n*/\n(module => {{\n{library}\nwindow.HuggingFace = module.exports;\n}})({{}});\n",
    )
    return out / "index.html"


def vocabulary() -> str:
    """GPT-4o's pattern, and its tokens in the order of their ids, as the script that the page asks for.

    Raises ImportError where the package that carries them is missing.
    """
    tokens = "\n".join(read_published("o200k_base").model.vocab)
    return (
        f"takeVocabulary({json.dumps(pattern('o200k'))}, {json.dumps(tokens, ensure_ascii=False)});"
    )


def _lesson(path: Path, title: str, beside: dict[str, tuple[str, str]], has_lab: bool) -> str:
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    shown = [cell for cell in cells if UNANSWERED not in json.dumps(cell.get("outputs"))]
    read = pieces(*map(_as_read, shown, [{"source": ""}, *shown]))
    once = AGAIN.sub(lambda codes: codes[0].replace(f"</details>{FOLDED}", ""), read)
    body = _once(gathered(Html(once)))
    work = f"lab/{LAB}?path={path.name}" if has_lab else ""
    is_lesson = path.name != GUIDE.name  # which marks whole folders, in processes of its own
    if is_lesson:
        body = with_cards(_true_of_a_page(body, work), path.stem)
    numbers = count()
    content = filled(
        "site/lesson.html",
        is_lesson=is_lesson,
        work=work,
        sections=re.findall("<h2>(.*?)</h2>", body),
        body=re.sub("<h2>", lambda _: f'<h2 id="section-{next(numbers)}">', body),
        beside=beside,
    )
    return page(f"{title} · subword-lab", content, reader=READER)


def _true_of_a_page(body: Html, work: str) -> Html:
    """What outputs say of their cell, as it is on a page; work: where the lesson runs, if anywhere."""
    link = partial(tag, "a", href=work) if work else partial(tag, "span")
    where = "work in it" if work else "open it in JupyterLab"
    field = tag("a", "front page", href="index.html#try")
    live = tag("a", "Try it live", href=work, class_="pill strong") if work else HERE.format(field)
    for said, true in CELLS.items():
        words = where[0].upper() + where[1:] if said[0] == "R" else where
        body = Html(re.sub(said, true.format(link(words), live=live), body))
    return body


def _once(body: Html) -> Html:
    """What several outputs bring for an element of theirs, once."""
    brought: set[str] = set()

    def first(part: re.Match[str]) -> str:
        is_known = part[0] in brought and PLAYS_HERE not in part[0]
        brought.add(part[0])
        return "" if is_known else part[0]

    return Html(BROUGHT.sub(first, body))


def page(title: str, content: Html, look: str = "", reader: str = "") -> str:
    """A page that runs only what stands in it. reader: the script beside it that it loads to open a tokenizer.json."""
    panels = "\n".join(map(within, PANELS, PANELS.values()))
    return filled(
        "site/page.html",
        title=title,
        style=static("design.css") + panels + read("site", "pages.css") + look,
        content=content,
        icon=ICON,
        reader=reader,
    )


# --------------------------------------------------------------------------------------------------------------- cells


def _as_read(cell: dict[str, Any], before: dict[str, Any]) -> Html:
    """A cell on a page, where a picture comes before its code, which is folded, and an exercise has none.

    Code that defines a function is read before what it does, and so is code that shows nothing, if the cell before
    ends in a colon; other code that only prepares is folded, too.
    """
    parts = list(cell_html(cell))
    shown = pieces(*parts[1:])
    if EXERCISE in shown:
        return shown
    if parts and parts[0].startswith(FOLDED):
        return pieces(shown, parts[0])
    guessed = shown.startswith("<details>")
    defines = "def " in "".join(cell["source"])
    announced = not shown and "".join(before["source"]).endswith(":")
    is_read = cell["cell_type"] == "markdown" or (shown and not PICTURE.search(shown))
    if guessed or defines or announced or is_read or not parts:
        return pieces(*parts)
    return pieces(shown, details("Code", parts[0]))


def cell_html(cell: dict[str, Any]) -> Iterator[Html]:
    """A cell to read: its text, or its code and what came of it."""
    source = "".join(cell["source"])
    if cell["cell_type"] == "markdown":
        yield _text(source)
    elif source.strip():
        folded = cell.get("metadata", {}).get("jupyter", {})
        code = styled(tag("div", highlighted(source), class_="sl-code"))
        yield details("Code", code) if folded.get("source_hidden") else code
        shown = [
            tag("div", _output(output["data"]), class_="sl-output")
            for output in cell["outputs"]
            if "data" in output
        ]
        yield from [details("Look", pieces(*shown))] if folded.get("outputs_hidden") else shown


def _text(markdown: str) -> Html:
    """Text of a lesson. Formulas become MathML, which browsers set themselves; links lead to pages."""
    formulas: list[str] = []

    def taken(found: re.Match) -> str:
        from latex2mathml.converter import convert

        formulas.append(convert(found[1] or found[2], display="block" if found[1] else "inline"))
        return f"FORMULA{len(formulas) - 1}."

    text: str = to_html(FORMULA.sub(taken, markdown))
    text = re.sub(r"FORMULA(\d+)\.", lambda found: formulas[int(found[1])], text)
    text = re.sub(
        r"(<code)(?=>[^<]{1,31}</)", r'\1 class="sl-whole"', text
    )  # which fits a phone's line
    text = re.sub(
        "<(pre|table)>", r'<\1 class="sl-view" tabindex="0">', text
    )  # where one is wide, arrow keys scroll it
    return Html(re.sub(r'(href="[\w./]*)\.ipynb', r"\1.html", text))


def _drawn(image: re.Match[str]) -> str:
    """An image's drawing itself, whose marks tell of themselves where a mouse rests."""
    return b64decode(image[1]).decode().replace("<svg", f"<svg{image[2]}", 1)


def _output(data: dict[str, list[str]]) -> Html:
    if "text/html" in data:
        face = "".join(data["text/html"]).replace("<table>", '<table tabindex="0">')
        face = re.sub(FIGURE, _drawn, face)
        face = face.replace(' class="dataframe"', ' class="dataframe" tabindex="0"')
        return Html(
            re.sub(
                r"<li(?=><strong>\w\.</strong> <code>[^<]*</code></li>)",  # a line to be put in its place
                '<li class="sl-ordered"',
                face.replace("<th></th>", "<td></td>"),  # as pandas writes corners
            )
        )
    return tag("pre", "".join(data.get("text/plain", "")))
