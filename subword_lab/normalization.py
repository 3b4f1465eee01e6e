"""Normalization that remembers where every character came from.

`text.normalize` gives a string; `trace` gives the same string and, for each of its characters, the span of the original
that it stands for, so that a token can be shown where it stands in the text that somebody typed. A step is the name of
one of `text.NORMALIZERS`, or one of the small classes below, which files of other libraries ask for.

The spans are those of the tokenizers library (0.23.3): what one character becomes has its span; a character that was
put together from several (`e` and an accent) has the span of the first; what takes the place of a longer piece has the
span of the piece's last character.
"""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import repeat
from typing import Literal

from . import text
from .arguments import check, check_choice, check_string

MOST_NODES = 1 << 18  # of a trie; SentencePiece's own have 24,000 within two characters
LONGEST = 16  # characters of an entry; those of SentencePiece's own tables have four at most
MOST_WAYS = 1 << 18  # of a trie that are remembered
MOST_STEPS = 10  # along a trie, for each character of a text; Unicode's own tables need six at most
LONGEST_TOKEN = 1_000  # characters of a token that is looked for in texts
GROWTH = 32  # times as long a text may become, and a character by one step; by Unicode it is 18
MOST_MORE = 1 << 23  # characters that a long text may become longer than four times its length
WORK = 128  # times as long may be what all steps make together

Span = tuple[int, int]
Traced = tuple[str, list[Span]]


def _check_short(new: str) -> None:
    """ValueError if what is put into a text is longer than any tokenizer needs."""
    check(
        len(new) <= GROWTH,
        f"normalization puts {len(new):,} characters into a text at once; expected at most {GROWTH}",
    )


def any_char(chars: Collection[str]) -> str:
    """A regular expression for any of these characters, and of those above U+FFFF for all.

    `re` has a table for characters up to there; others it would compare one by one.

    >>> re.findall(any_char("-a🤗"), "a-b🤖")
    ['a', '-', '🤖']
    """
    within = {char for char in chars if char <= "\uffff"}
    beyond = "\U00010000-\U0010ffff" if {*chars} - within else ""
    return f"[{''.join(map(re.escape, sorted(within)))}{beyond}]"


class TokenFinder:
    """Finds tokens in a text; of those that fit at a place, the longest.

    A place is looked at if its first characters, up to three, are those of tokens. There, the last token in order that
    is no greater than the text may be the one, or the longest other one with which that begins, and so on; where these
    are many, several at a time are passed over (E. W. Myers, "An applicative random-access stack", 1983). So many
    tokens hardly take longer than one. Raises ValueError for a token of more than 1,000 characters.

    >>> [*TokenFinder(["hug", "hugs", "pug"]).spans("hugs and pugs, hug")]
    [(0, 4), (9, 12), (15, 18)]
    """

    def __init__(self, tokens: Collection[str]):
        self._tokens = sorted(tokens)
        self._longest = max(map(len, tokens), default=0)
        check(
            self._longest <= LONGEST_TOKEN,
            f"a token that is never split has {self._longest:,} characters; expected at most {LONGEST_TOKEN:,}",
        )
        # By number: the longest other token with which each begins, or -1; one far behind it; and how many there are.
        self._near, self._far, depth = {-1: -1}, {-1: -1}, {-1: 0}
        around = [-1]  # those with which the token before began, and that one
        for number, token in enumerate(self._tokens):
            while around[-1] >= 0 and not token.startswith(self._tokens[around[-1]]):
                around.pop()
            near, far = around[-1], self._far[around[-1]]
            farther = self._far[far]
            is_even = depth[near] - depth[far] == depth[far] - depth[farther]
            self._near[number], self._far[number] = near, farther if is_even else near
            depth[number] = depth[near] + 1
            around.append(number)
        beginnings, patterns = {token[:3] for token in tokens}, []
        for size in {*map(len, beginnings)}:
            alike = (each for each in beginnings if len(each) == size)
            first, *others = map(any_char, zip(*alike, strict=True))
            patterns.append(f"{first}(?={''.join(others)})")
        self._next = re.compile("|".join(patterns) or "(?!)").search

    def spans(self, string: str, start: int = 0) -> Iterator[Span]:
        """From where to where the tokens stand, from a place on; none of them overlap."""
        while match := self._next(string, start):
            place, start = match.span()
            here = string[place : place + self._longest]
            number = bisect_right(self._tokens, here) - 1
            while number >= 0 and not here.startswith(self._tokens[number]):
                far = self._far[number]
                is_too_far = far < 0 or here.startswith(self._tokens[far])
                number = self._near[number] if is_too_far else far
            if number >= 0:
                start = place + len(self._tokens[number])
                yield place, start

    def search(self, string: str, start: int = 0) -> Span | None:
        """Where the first token stands, from a place on, or None."""
        return next(self.spans(string, start), None)


# The library's own patterns, and what they find; that of its normalizer StripAccents has its name.
REGEXES = {
    " {2,}": "  +",
    r"\s+": "[{space}]+",
    r"\A\s+": r"\A[{space}]+",
    # Of a run of spaces the first place alone is tried.
    r"\s+\z": r"(?<![{space}])[{space}]+\Z",
    r"\A\s+|\s+\z": r"\A[{space}]+|(?<![{space}])[{space}]+\Z",
    "StripAccents": "[{combining}]",
}


@dataclass(frozen=True)
class Replace:
    r"""Put `new` in the place of every `old`, or of all that a pattern finds: `old` is then one of `REGEXES`.

    >>> trace("a  b", [Replace(" {2,}", "▁", pattern=True)])
    ('a▁b', [(0, 1), (2, 3), (3, 4)])
    >>> trace("a \tb", [Replace(r"\s+", "_", pattern=True)])
    ('a_b', [(0, 1), (2, 3), (3, 4)])
    """

    old: str
    new: str
    pattern: bool = False

    def __post_init__(self) -> None:
        if self.pattern:
            check_choice("old", self.old, REGEXES)
        _check_short(self.new)

    def __call__(self, string: str) -> str:
        if not self.pattern:
            return string.replace(self.old, self.new)
        return self._compiled.sub(lambda match: self.new, string)

    def growth(self, string: str) -> Iterator[int]:
        """By how many characters each replacement is longer."""
        if not self.pattern:
            return repeat(len(self.new) - len(self.old), string.count(self.old))
        return (len(self.new) - len(match.group()) for match in self._compiled.finditer(string))

    @cached_property
    def _compiled(self) -> re.Pattern[str]:
        return text.classes(REGEXES[self.old]) if self.pattern else re.compile(re.escape(self.old))

    def trace(self, string: str, spans: list[Span]) -> Traced:
        """The new string, and the spans of its characters."""
        found, end = [], 0
        for match in self._compiled.finditer(string):
            found += spans[end : match.start()] + [spans[match.end() - 1]] * len(self.new)
            end = match.end()
        return self(string), found + spans[end:]


ONE_SPACE = Replace(" {2,}", " ", pattern=True)


@dataclass(frozen=True)
class Prepend:
    """Put `new` in front of every text that is not empty.

    >>> trace("hug", [Prepend("▁")])
    ('▁hug', [(0, 1), (0, 1), (1, 2), (2, 3)])
    """

    new: str

    def __post_init__(self) -> None:
        _check_short(self.new)

    def __call__(self, string: str) -> str:
        return self.new + string if string else string

    def trace(self, string: str, spans: list[Span]) -> Traced:
        """The new string, and the spans of its characters."""
        return self(string), spans[:1] * len(self.new) + spans


@dataclass(frozen=True)
class Trim:
    """Take the spaces away at both ends, and at the end `▁` too, as SentencePiece does; other white space stays.

    >>> trace(" hug\\n ", [Trim()])
    ('hug\\n', [(1, 2), (2, 3), (3, 4), (4, 5)])
    """

    def __call__(self, string: str) -> str:
        return string.lstrip(" ").rstrip(" ▁")

    def trace(self, string: str, spans: list[Span]) -> Traced:
        """The new string, and the spans of its characters."""
        return _cut_out(self(string), string, spans)


@dataclass(frozen=True)
class CharMap:
    """SentencePiece's table of replacements: a double-array trie, and the strings that its leaves point to.

    data: the bytes of `precompiled_charsmap` in a model file: the trie's size in bytes, its units of 32 bits, then the
    replacements, each closed by a zero byte. At each place the longest entry that fits is replaced. by_grapheme: as the
    tokenizers library reads the same table: a character with its marks becomes what the shortest entry says that it
    begins with, as long as it has five bytes at most; otherwise, character by character. kept: pieces of text that stay
    as they are, unless an entry that begins before them reaches into them; not by grapheme. Raises ValueError if the
    sizes do not agree.
    """

    data: bytes
    by_grapheme: bool = False
    kept: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        size = int.from_bytes(self.data[:4], "little")
        check(
            len(self.data) >= 8 and not size % 4 and 4 <= size <= len(self.data) - 4,
            f"the table of replacements says that its trie has {size} bytes; expected a multiple of 4 "
            f"within its {len(self.data)} bytes",
        )
        _check_short(max(self.data[4 + size :].decode().split("\0"), key=len))

    @cached_property
    def units(self) -> list[int]:
        """The nodes of the trie."""
        return list(memoryview(self.data)[4 : len(self.data) - len(self.strings)].cast("I"))

    @cached_property
    def strings(self) -> bytes:
        """The replacements."""
        return self.data[4 + int.from_bytes(self.data[:4], "little") :]

    def _longest(self, string: str, shortest: bool = False) -> tuple[int, str, int]:
        """How many characters the longest entry has with which a string begins (0: there is none), what it becomes, and
        how many characters were looked at. shortest: or the shortest one.
        """
        node, length, found = _offset(self.units[0]), 0, (0, "")
        for length, char in enumerate(string, start=1):
            node, new = self._way(node, char)
            if new is not None:
                found = length, new
            if node < 0 or (shortest and found[0]):
                break
            if length > LONGEST:
                raise ValueError(
                    f"the table of replacements has an entry that begins with {string[:LONGEST]!r}; "
                    f"expected at most {LONGEST} characters"
                )
        return *found, length

    @cached_property
    def _way(self) -> Callable[[int, str], tuple[int, str | None]]:
        """Leads from a node of the trie over a character (to -1 where no entry goes on), and says what an entry becomes
        that ends there.
        """
        units, strings = self.units, self.strings

        def way(node: int, char: str) -> tuple[int, str | None]:
            place = len(strings)
            for byte in char.encode():
                node ^= byte
                if node >= len(units) or units[node] & 0x800000FF != byte:
                    return -1, None
                has_leaf = units[node] >> 8 & 1
                node ^= _offset(units[node])
                is_end = has_leaf and node < len(units)
                place = units[node] & 0x7FFFFFFF if is_end else len(strings)
            if place >= len(strings):
                return node, None
            return node, strings[place : strings.index(0, place)].decode("utf-8", "replace")

        return lru_cache(MOST_WAYS)(way)

    @cached_property
    def _beginnings(self) -> set[str]:
        """How entries begin: those of one character, and the first two characters of the others.

        Raises ValueError if the trie goes round in circles.
        """
        units = self.units
        bytes_at: dict[int, list[int]] = {}  # a node's offset -> the bytes that lead on
        for place, unit in enumerate(units):
            if 0 < unit & 0x800000FF < 0x100:
                bytes_at.setdefault(place ^ unit & 0xFF, []).append(unit & 0xFF)
        found, nodes, seen = set[str](), [(_offset(units[0]), b"")], 0
        for offset, entry in nodes:
            ways = bytes_at.get(offset, [])
            seen += len(ways)
            check(seen <= MOST_NODES, "the table of replacements has a trie without an end")
            for byte in ways:
                longer, unit = entry + bytes([byte]), units[offset ^ byte]
                chars = longer.decode("utf-8", "ignore")
                if chars and (unit >> 8 & 1 or len(chars) == 2):
                    found.add(chars)
                if len(chars) < 2 and len(longer) < 8:  # two characters have eight bytes at most
                    nodes.append((offset ^ byte ^ _offset(unit), longer))
        return found

    @cached_property
    def _notable(self) -> Callable[[str, int], re.Match[str] | None]:
        """Finds the next character that is an entry, or the second one of an entry; most texts hold few of them."""
        seconds = {each[-1] for each in self._beginnings}
        return re.compile(any_char(seconds | {"\U0010ffff"})).search

    @cached_property
    def _find_kept(self) -> TokenFinder:
        return TokenFinder(self.kept)

    def _replaced(self, string: str) -> Iterator[tuple[int, int, str]]:
        """Where something is replaced, from where to where, and by what."""
        if self.by_grapheme:
            yield from self._replaced_by_grapheme(string)
            return
        end = place = 0
        room = most = MOST_STEPS * (len(string) + 1_000)
        nothing = (len(string), len(string))
        kept = (-1, -1) if self.kept else nothing
        while match := self._notable(string, place):
            here, after = match.span()
            if kept[0] < place:
                kept = self._find_kept.search(string, place) or nothing
            if is_kept := kept[0] <= here:
                here, after = kept
            place = after
            for start in range(max(end, here - 1), here + (not is_kept)):
                length, new, steps = self._longest(string[start : start + LONGEST + 1])
                room -= steps
                if room < 0:
                    raise ValueError(
                        f"the table of replacements takes more than {most:,} steps for {len(string):,} characters; "
                        f"expected at most {MOST_STEPS} for each"
                    )
                if length:
                    end = place = start + length
                    yield start, end, new
                    break
            else:
                end = place if is_kept else end

    def _replaced_by_grapheme(self, string: str) -> Iterator[tuple[int, int, str]]:
        for match in self._graphemes.finditer(string):
            start, end = match.span()
            cuts = [(start, end), *((place, place + 1) for place in range(start, end))]
            for first, after in cuts if len(match.group().encode()) < 6 else cuts[1:]:
                length, new, _ = self._longest(string[first:after], shortest=True)
                if length:
                    yield first, after, new
                if length and after - first == end - start:
                    break

    @cached_property
    def _graphemes(self) -> re.Pattern[str]:
        """Finds what may be replaced: characters with marks, and the beginnings of entries."""
        chars = "".join(map(re.escape, {each[0] for each in self._beginnings}))
        return text.classes(rf"\r\n|[^{{alone}}][{{extend}}]+|[{chars}]".replace("[]", "(?!)"))

    def __call__(self, string: str) -> str:
        new, end = [], 0
        for start, after, char in self._replaced(string):
            new += [string[end:start], char]
            end = after
        return "".join([*new, string[end:]]) if new else string

    def growth(self, string: str) -> Iterator[int]:
        """By how many characters each replacement is longer."""
        return (len(new) - (after - start) for start, after, new in self._replaced(string))

    @property
    def replaces_spaces(self) -> bool:
        """Whether an entry begins with a space."""
        return any(entry[0] == " " for entry in self._beginnings)

    @cached_property
    def leaves_ascii(self) -> bool:
        """Whether no entry begins with a printable character of ASCII that stands alone, or before another one."""
        return not any(
            entry[:2].isascii() and entry[:2].isprintable() for entry in self._beginnings
        )

    def trace(self, string: str, spans: list[Span]) -> Traced:
        """The new string, and the spans of its characters: those of all that it takes the place of."""
        if self.by_grapheme:
            return self(string), _aligned(self._notes(string), spans)
        parts, found, end = list[str](), list[Span](), 0
        for start, after, new in self._replaced(string):
            parts += [string[end:start], new]
            found += spans[end:start] + [(spans[start][0], spans[after - 1][1])] * len(new)
            end = after
        return "".join([*parts, string[end:]]), found + spans[end:]

    def _notes(self, string: str) -> list[int]:
        """For each new character how many it took, see `_aligned`; nobody counts what is lost before the first."""
        notes, end = list[int](), 0
        for start, after, new in self._replaced(string):
            notes += [0] * (start - end + len(new))
            more, end = len(new) - (after - start), after
            if more > 0:
                notes[-more:] = [1] * more
            elif notes:
                notes[-1] += more
        return notes + [0] * (len(string) - end)


def _offset(unit: int) -> int:
    return unit >> 10 << ((unit & 1 << 9) >> 6)


Step = str | Replace | Prepend | Trim | CharMap


# ------------------------------------------------------------------------------------------------- steps, with spans


def apply(string: str, steps: Iterable[Step]) -> str:
    """The string after these steps, from left to right.

    >>> apply("Héllò  you", ["lowercase", ONE_SPACE])
    'héllò you'
    """
    size, made = len(string), 0
    for step in steps:
        check_growth(string, size, made, step)
        string = text.normalize(string, step) if isinstance(step, str) else step(string)
        made += len(string)
        check_growth(string, size, made)
    return string


def check_growth(string: str, size: int, made: int, step: Step = "") -> None:
    """ValueError if a text of this size has become, or will become by a step, as long as only a file makes it that
    was written to do harm; or if what steps have made together is.
    """
    length, most = len(string), min(GROWTH * (size + GROWTH), 4 * size + MOST_MORE)
    # What is hardly longer than it was, one step may make longer: that is short work.
    for more in _growth(string, step) if length > 9 * size // 8 + 16 * GROWTH else ():
        length += more
        if length > most:
            break
    check(
        length <= most,
        f"normalization makes more than {most:,} characters of {size:,}; expected at most {GROWTH} for each, "
        "and 4 of a long text",
    )
    check(
        made <= (most := WORK * (size + GROWTH)),
        f"the steps of normalization make more than {most:,} characters of {size:,}; expected at most {WORK} for each",
    )


def _growth(string: str, step: Step) -> Iterable[int]:
    if isinstance(step, Replace | CharMap):
        return step.growth(string)
    is_long = step in ("nfkc", "nfkd")
    return (len(unicodedata.normalize("NFKD", char)) - 1 for char in string) if is_long else ()


def evens_out(steps: Iterable[Step]) -> bool:
    """Whether printable ASCII only loses its needless spaces, as in SentencePiece, but may get some in front again.

    >>> evens_out(["nfkc", Trim(), ONE_SPACE, Prepend(" ")]), evens_out(["nfkc", Trim()])
    (True, False)
    """
    steps, spaces = [*steps], [Trim(), ONE_SPACE]
    return all(step in steps for step in spaces) and all(
        step.leaves_ascii
        if isinstance(step, CharMap)
        else step in (*LEAVE_ASCII, *spaces, Prepend(" "))
        for step in steps
    )


LEAVE_ASCII = ("clean", "nfc", "nfd", "nfkc", "nfkd", "strip-accents", "space-chinese")


def trace(string: str, steps: Iterable[Step]) -> Traced:
    """The string after these steps, and for each of its characters the (start, end) it stands for in `string`.

    >>> trace("Ünß", ["nfkd", "lowercase"])[0].encode("ascii", "replace")
    b'u?n?'
    >>> trace("Ün", ["nfkd", "lowercase"])[1]
    [(0, 1), (0, 1), (1, 2)]
    """
    spans = [(start, start + 1) for start in range(len(check_string("string", string)))]
    size, made = len(string), 0
    for step in steps:
        check_growth(string, size, made, step)
        string, spans = (
            TRACERS[step](string, spans) if isinstance(step, str) else step.trace(string, spans)
        )
        made += len(string)
        check_growth(string, size, made)
    return string, spans


def _char_by_char(step: str) -> Callable[[str, list[Span]], Traced]:
    """For a step that looks at one character at a time."""

    def traced(string: str, spans: list[Span]) -> Traced:
        new = [*map(text.NORMALIZERS[step], string)]
        return "".join(new), [span for chars, span in zip(new, spans, strict=True) for _ in chars]

    return traced


def _cut_out(part: str, string: str, spans: list[Span]) -> Traced:
    """A part of the string, which stands nowhere before its own place, and the spans of its characters."""
    start = string.index(part)
    return part, spans[start : start + len(part)]


def _unicode_form(
    form: Literal["NFC", "NFD", "NFKC", "NFKD"],
) -> Callable[[str, list[Span]], Traced]:
    """Each character is taken apart, and for the C forms put together again, with a note of how many it took."""

    def traced(string: str, spans: list[Span]) -> Traced:
        if (new := text.unicode_form(form, string)) == string:
            return string, spans
        parts = text.in_order(
            (part, int(number > 0))
            for char in string
            for number, part in enumerate(
                unicodedata.normalize("NFKD" if "K" in form else "NFD", char)
            )
        )
        notes = [change for _, change in (parts if form.endswith("D") else _composed(parts))]
        return new, _aligned(notes, spans)

    return traced


def _aligned(notes: Iterable[int], spans: list[Span]) -> list[Span]:
    """The spans of new characters. Notes: 1 for one that was added, 0 for one that took one other, -1 for two ..."""
    found, place = [], 0
    for change in notes:
        if change > 0:
            found.append(spans[max(place - 1, 0)])
        else:
            found.append(spans[place])
            place += 1 - change
    return found


def _composed(parts: Iterable[tuple[str, int]]) -> list[tuple[str, int]]:
    """Letters joined with the marks after them, as far as there is one character for both."""
    joined: list[tuple[str, int]] = []
    letter, last = -1, 0  # where the letter stands; the class of the last mark
    for char, change in parts:
        combining = unicodedata.combining(char)
        if letter >= 0 and (letter == len(joined) - 1 or last < combining):
            both = unicodedata.normalize("NFC", joined[letter][0] + char)
            if len(both) == 1:
                joined[letter] = both, joined[letter][1] + change - 1
                continue
        if combining == 0:
            letter = len(joined)
        last = combining
        joined.append((char, change))
    return joined


def _strip_accents(string: str, spans: list[Span]) -> Traced:
    string, spans = TRACERS["nfd"](string, spans)
    # What is apart already only loses its marks.
    return _char_by_char("strip-accents")(string, spans)


TRACERS: dict[str, Callable[[str, list[Span]], Traced]] = {
    "nfc": _unicode_form("NFC"),
    "nfd": _unicode_form("NFD"),
    "nfkc": _unicode_form("NFKC"),
    "nfkd": _unicode_form("NFKD"),
    "lowercase": _char_by_char("lowercase"),
    "strip-accents": _strip_accents,
    "clean": _char_by_char("clean"),
    "space-chinese": _char_by_char("space-chinese"),
    "strip": lambda string, spans: _cut_out(string.strip(), string, spans),
}
