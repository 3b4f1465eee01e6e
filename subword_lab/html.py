"""From the little Markdown of questions and messages to HTML that is calm in light and dark themes."""
from __future__ import annotations

from functools import cache
from html import escape

COLORS = {"plain": "#7a8594", "good": "#2e8b57", "bad": "#c2552d", "note": "#8a6d1a"}


@cache
def _markdown():
    import mistune

    return mistune.create_markdown(escape=True, plugins=["table"])


def to_html(markdown: str) -> str:
    """Markdown as HTML; HTML inside it is shown, not obeyed.

    >>> to_html("Count `u g`, *not* <b>g u</b>.")
    '<p>Count <code>u g</code>, <em>not</em> &lt;b&gt;g u&lt;/b&gt;.</p>\\n'
    """
    return _markdown()(markdown)


def box(title: str, body: str, *, tone: str = "plain", label: str = "") -> str:
    """A bordered section with a heading. `body` is HTML, `title` is text; `tone` is a key of COLORS.

    >>> box("Right", "<p>Yes.</p>", tone="good")[:40]
    '<section class="subword-box subword-good'
    """
    name = f' aria-label="{escape(label, quote=True)}"' if label else ""
    return (f'<section class="subword-box subword-{tone}"{name} style="border:1px solid {COLORS[tone]};'
            f'border-left-width:5px;border-radius:4px;padding:.5em 1em .3em;margin:.4em 0;max-width:50em">'
            f'<div style="font-weight:600;margin-bottom:.3em">{escape(title)}</div>{body}</section>')


def details(summary: str, body: str) -> str:
    """HTML `body` that opens on demand.

    >>> details("More", "<p>x</p>")
    '<details><summary>More</summary><p>x</p></details>'
    """
    return f"<details><summary>{escape(summary)}</summary>{body}</details>"
