"""The one maker of HTML: elements that escape what is put into them, and the few shapes that are used everywhere.

`tag("p", "a < b")` escapes its text; what a maker returned is `Html`, and goes in as it is. The shapes (`box`,
`details`, `table`, `note`, `view`) are calm in light and dark themes. The look of everything stands in `html.css`;
`styled` puts in front of a piece the few rules that this piece needs, so that it looks right wherever it is shown.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape

from . import files

COLORS = {"plain": "#7a8594", "good": "#2e8b57", "bad": "#c2552d", "note": "#8a6d1a"}
EMPTY_ELEMENTS = ("circle", "img", "input", "meta", "path", "wbr")
# A page runs nothing, and loads nothing.
POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
NUMBER = re.compile(r"\s*([-+]?[\d,]*\.?\d+(/[\d,]+)?%?|–)\s*")  # such as 12,345, 7.5% or 1/36
TABLE = re.compile(r"^(?P<head>\|.*\|\n)\|(-+\|)+\n(?P<rows>(\|.*\|(\n|$))+)", re.MULTILINE)
CLASS = re.compile(r"\bsl-[a-z0-9]+")
OWN_STYLE = re.compile(r"<style>[a-z]*\.sl-.*?</style>", re.DOTALL)  # as `styled` writes it


class Html(str):
    """A piece of HTML, in which text is escaped already. Several are put together with `pieces`; + makes them text."""


class Shown:
    """Something with a face in HTML: `html()` is the face alone, `_repr_html_()` brings its style along."""

    def html(self) -> Html:
        """The face."""
        raise NotImplementedError

    def inline(self) -> Html:
        """The face inside something else, such as a cell of a table."""
        return self.html()

    def _repr_html_(self) -> str:
        return styled(self.html())


@dataclass(frozen=True, repr=False)
class View(Shown):
    """Something finished: how it looks in HTML, and what it says as text."""

    text: str
    face: Html

    def __repr__(self) -> str:
        return self.text

    def html(self) -> Html:
        return self.face


def pieces(*content: object, between: str = "") -> Html:
    """Several things as one piece of HTML: text is escaped, what has a face in HTML shows it, None is nothing.

    between: HTML that is put between every two of them.

    >>> pieces("a < b", Html("<hr>"), None, 7)
    'a &lt; b<hr>7'
    """
    return Html(between.join(map(_piece, content)))


def _piece(value: object) -> str:
    if value is None or isinstance(value, Html):
        return value or ""
    if isinstance(value, Shown):
        return value.inline()
    face = getattr(value, "_repr_html_", None)
    return face() if face else escape(str(value))


def tag(name: str, /, *content: object, **attributes: object) -> Html:
    """An element with `content`, see `pieces`. An attribute that is None, False or "" is left out, True has no value.

    Python's names for attributes: `class_` is class, `aria_label` is aria-label.

    >>> tag("p", "a < b ", tag("b", "c"), class_="sl-note", title='"')
    '<p class="sl-note" title="&quot;">a &lt; b <b>c</b></p>'
    >>> tag("details", open=True), tag("circle", cx=0, fill=None)
    ('<details open></details>', '<circle cx="0"/>')
    """
    begin = f"<{name}{''.join(map(_attribute, attributes, attributes.values()))}"
    return Html(f"{begin}/>" if name in EMPTY_ELEMENTS else f"{begin}>{pieces(*content)}</{name}>")


def _attribute(name: str, value: object) -> str:
    if value is None or value is False or value == "":
        return ""
    name = name.rstrip("_").replace("_", "-")
    return f" {name}" if value is True else f' {name}="{escape(str(value))}"'


def to_html(markdown: str) -> Html:
    """Markdown as HTML; HTML inside it is shown, not obeyed, and the empty corner of a table is no heading.

    What is nested too deep to be read is shown as text.

    >>> to_html("Count `u g`, *not* <b>g u</b>.")
    '<p>Count <code>u g</code>, <em>not</em> &lt;b&gt;g u&lt;/b&gt;.</p>\\n'
    """
    import mistune

    try:
        made = mistune.markdown(
            TABLE.sub(_numbers_right, markdown), escape=True, plugins=("table",)
        )
    except RecursionError:  # quotes and lists in one another without end are nobody's figures
        return tag("pre", markdown)
    return Html(str(made).replace("<th></th>", "<td></td>"))


def _numbers_right(found: re.Match[str]) -> str:
    """A table in Markdown, in which columns of numbers stand to the right."""
    rows = [re.split(r"(?<!\\)\|", row)[1:-1] for row in found[0].splitlines()]
    if len({*map(len, rows)}) > 1:
        return found[0]
    columns = zip(*rows[2:])
    rule = ("---:" if all(map(NUMBER.fullmatch, column)) else "---" for column in columns)
    return f"{found['head']}|{'|'.join(rule)}|\n{found['rows']}"


# ----------------------------------------------------------------------------------------------------------- the shapes


def box(title: str, body: str, *, tone: str = "plain", label: str = "") -> Html:
    """A bordered section with a heading. `body` is HTML, `title` is text; `tone` is a key of COLORS.

    Its look is part of it, so that a message has it wherever it is shown, also in a notebook that is not trusted.

    >>> box("Right", "<p>Yes.</p>", tone="good").partition(">")[2]
    '<div style="font-size:1.15em;font-weight:600;margin-bottom:.3em">Right</div><p>Yes.</p></div>'
    """
    return tag(
        "div",
        tag("div", title, style="font-size:1.15em;font-weight:600;margin-bottom:.3em"),
        # JupyterLab leaves no room around it.
        Html(body.replace("<pre>", '<pre class="sl-view" style="margin:.7em 0" tabindex="0">')),
        role="group" if label else None,
        aria_label=label,
        style=f"border:1px solid {COLORS[tone]};border-left-width:5px;border-radius:4px;"
        "padding:.5em 1em .3em;margin:.4em 0;max-width:50em",
    )


def details(summary: str, body: str, *, open: bool = False) -> Html:
    """HTML `body` that opens on demand, or is open at first.

    >>> details("More", "<p>x</p>")
    '<details><summary>More</summary><p>x</p></details>'
    """
    return tag("details", tag("summary", summary), Html(body), open=open)


def note(text: str, name: str = "div") -> Html:
    """A line in small print; nothing for no text."""
    return tag(name, text, class_="sl-note") if text else Html()


def view(*content: object, name: str = "div") -> Html:
    """What is looked at, in a frame that scrolls where it is wide, and in which `$` stays a dollar sign.

    A table or a drawing may be wider than the page: its frame takes the focus, so that arrow keys scroll it.
    """
    inside = pieces(*content)
    wide = "<table" in inside or "<svg" in inside
    return tag(name, inside, class_="sl-view mathjax_ignore", tabindex=0 if wide else None)


def table(
    rows: Iterable[Sequence[object]],
    columns: Sequence[str],
    *,
    caption: str = "",
    numbers: Collection[int] = (),
) -> Html:
    """A table that a screen reader can walk through: the first cell of each row is its name.

    rows: cells, see `pieces`. columns: their names; a column without one has no heading, and if none has one
    there is no row of headings. numbers: the columns, counted from 0, whose cells are aligned to the right.

    >>> table([["u g", 20]], ["pair", ""]).partition("</thead>")[2]
    '<tbody><tr><th scope="row">u g</th><td>20</td></tr></tbody></table>'
    """
    looks = ["sl-number" if column in numbers else None for column in range(len(columns))]
    broad = " sl-broad" * (len(columns) > 3) + " sl-broader" * (len(columns) > 5)
    return tag(
        "table",
        tag("caption", caption, class_="sl-caption") if caption else None,
        tag(
            "thead",
            tag(
                "tr",
                *[
                    tag("th", name, scope="col", class_=look) if name else tag("td")
                    for name, look in zip(columns, looks)
                ],
            ),
        )
        if any(columns)
        else None,
        tag(
            "tbody",
            *[
                tag(
                    "tr",
                    tag("td") if first == "" else tag("th", first, scope="row", class_=looks[0]),
                    *(tag("td", cell, class_=look) for cell, look in zip(others, looks[1:])),
                )
                for first, *others in rows
            ],
        ),
        class_=f"sl-table{broad}",
    )


# ------------------------------------------------------------------------------------------------------------- the look


def styled(*content: object) -> Html:
    """Content, and before it the rules of `html.css` for the classes in it.

    >>> styled(note("small print"))
    '<style>.sl-note{font-size:max(.85em,13px);opacity:.8}</style><div class="sl-note">small print</div>'
    """
    body = pieces(*content)
    rules = look(CLASS.findall(body))
    return pieces(tag("style", Html(rules)) if rules else None, body)


def look(classes: Iterable[str] | None = None) -> str:
    """The rules of `html.css` in which only these classes occur; all rules for None."""
    known = None if classes is None else set(classes)
    return "".join(rule for rule, needed in _rules() if known is None or needed <= known)


def gathered(content: str) -> Html:
    """Content in which every piece has brought its style, with one style for all of them."""
    return styled(Html(OWN_STYLE.sub("", content)))


@cache
def _rules() -> list[tuple[str, set[str]]]:
    """The rules of the style sheet without spare white space, each with the classes that it is about."""
    sheet = re.sub(r"/\*.*?\*/", "", files.read("html.css"), flags=re.DOTALL)
    short = re.sub(r"\s*([{};,>]|: )\s*", lambda sign: sign[1].strip(), " ".join(sheet.split()))
    return [
        (rule, set(CLASS.findall(rule)))
        for rule in re.findall(r"[^{}]+\{[^{}]*\}", short.replace(";}", "}"))
    ]


def page(title: str, *content: object) -> str:
    """A page that needs nothing else: no network, no other file, no script."""
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=POLICY),
        tag("meta", name="viewport", content="width=device-width"),
        tag("title", title),
        tag("style", Html(files.read("views", "static", "design.css"))),
    )
    body = tag("body", styled(tag("main", tag("h1", title), *content, class_="sl-page")))
    return f"<!doctype html>\n{tag('html', head, body, lang='en')}\n"
