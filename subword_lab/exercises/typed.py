"""Reading what was typed: every dress in which the same answer may come.

Whoever knows the answer does not lose a point to typing. So quotes, backticks, brackets, a final full stop, commas,
bars, full-width characters and the like are seen through. Where a text may be read in two ways (is `1,234` a thousand
or one and a bit?) both readings are returned, the likelier one first, and an answer is right if one of them is.
"""

import ast
import operator
import re
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import accumulate

from ..text import unicode_form

QUOTES = dict(zip("\"'`“‘„«‹「『《〈【”’", "\"'`”’“»›」』》〉】”’", strict=True))
BRACKETS = {"[": "]", "(": ")", "{": "}", "<": ">"}
EMPHASIS = re.compile(r"^(?=.*[^*`\s])(\*{1,3}|`{2,3})((?:(?!\1).)+)\1$", re.DOTALL)
LEAD_IN = re.compile(
    r"^(?!not|never|wrong|false)(?:(?:(?:so|the|my|next|i think)\s+)*"
    r"(?:answer|result|output|solution|tokens?|pieces?|parts?|symbols?|rules?|characters?|merges?|cuts?|words?|order"
    r"|text|string|pair|call|it|this)"
    r"(?:\s*[:=]\s*|\s+(?:is|are|gives|shows|prints|returns|removes|would be)\s+|['’]s\s+)|i (?:think|guess)\s+"
    r"|>>>.*\n|(?:in ?\[\d*\]:.*\n\s*)?(?:>>>|(?:in|out) ?\[\d*\]:)\s*"
    r"|[^\W\d][\w'-]{2}[\w' -]*:\s+|[^\W\d]\w*\s*=\s*(?=[\[(\"'])|=\s*(?=[\[(\"'])|=\s+|first\s+|both\s+)",
    re.IGNORECASE,
)
TAIL = re.compile(  # what is said aside, such as `(7 characters, 4 merges)`
    r"(?:,? i (?:think|guess)| \(\d+ \w+(?:(?:,|,? and) \d+ [^\W\d]{3,})*\)"
    r"| \((?:the )?(?:remainder|rest|left over)(?: is|:)? \d+\))[.!]?$",
    re.IGNORECASE,
)
AROUND_PAIR = re.compile(  # `the pair u+g, which occurs 534 times`, or a number and no pair at all
    r"^(?:the\s+)?(?:pair|merge)\s+(?=[^\s+]+[\s+,]+\S)|^[\d.,]+$|[\s,:]+0\.\d+$|\s*\(\d[\d.,]*\)$"
    r"|[\s,:;(]+(?:(?:which|that|it)\s+)?(?:with\s+)?(?:an?\s+|the\s+)?"
    r"(?:occurs?|occurring|appears?|comes?|scores?|counts?|frequency)\b[^+]*\d[^+]*$",
    re.IGNORECASE,
)
ASIDE = re.compile(  # words of reason behind an answer: `ca, because its id is 180`, `un hug (as the lattice has it)`;
    # or before it: `Z is taken; Y=Zb`
    r"(?<=\S)(?:\s*[,;:(]|\s+[-–—]|(?=\s+(?:because|since|as|for)\b))\s*(?=[^|]*[^\W\d]{2}\s+\S)"
    r"(?=[^|]*\b(?:because|since|as|for|it|its|this|that|which|is|are|has|was|comes|the|in|of|by|with)\b)[^|]+$"
    r"|^(?!.+\b(?:because|since|as|for)\b)[^|;:,]+\s(?:is|are|has|was)\s[^|;:]+[;:]\s+",
    re.IGNORECASE,
)
REMARK = re.compile(  # behind a text: `èv (from Genève)`, `Zgk with Z=gg`
    r"(?<=\S)(?:\s+\(|,? (?:in|from|of|with)(?= )|, (?=id\b))(?!.*\b(?:no|not|or|but|rather|wrong)\b).+$",
    re.IGNORECASE | re.DOTALL,
)
WORKING = re.compile(  # before a text: `YmY = mbgmmbg`
    r"^.+(?:=|[-=]>|→|\bso\b)\s*(?=\S)", re.IGNORECASE | re.DOTALL
)
CALL = re.compile(  # what shows or makes the answer
    r"^(?:print|list|tuple|str|int|float|(?:np\.)?array)\((.*?)(?:,\s*dtype=\S+)?\)$", re.DOTALL
)
THEN = r"\s+(?:and\s+then|and|then|finally)\s+"
ARROW = r"\s*(?:[-=]>|[→⇒⟶➜➔])\s*|\s+>\s+"
SIGN = (
    r"[^\w\s,;▁#@]"  # one of which may stand between all parts; `▁`, `##` and `@@` belong to tokens
)
# Where a mark alone says that tokens part.
GLUED = re.compile(r"(?<=\w@@)(?=\w)|(?<=</w>)(?=\w)|(?<=\w)(?=##|▁)")
GROUPS = re.compile(r"(?:\[[^][\"',|]+\]\s*){2,}")  # `[hug ##s] [UNK]`, the tokens of each word
INVISIBLE = re.compile("[\u200b\u2060\ufeff\u200e\u200f\u202a-\u202e\u2066-\u2069]")
WIDE = str.maketrans("，、｜¦│；＋（）［］。．：＝\u00a0\u3000\u202f", ",,|||;+()[]..:=   ")
# Cyrillic and Greek letters that look or sound like these.
LOOK_ALIKES = str.maketrans("авсеорхуіεοαбд", "abceopxyieoabd")
NUMBER_WORDS = {
    word: number
    for number, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
        "seventeen eighteen nineteen".split()
    )
}
NUMBER_WORDS |= {"none": 0, "once": 1, "twice": 2} | {
    f"{ten}-{one}".removesuffix("-zero"): 10 * tens + NUMBER_WORDS[one]
    for tens, ten in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), 2)
    for one in list(NUMBER_WORDS)[:10]
}
SCALES = {  # behind a number in words
    "dozen": Fraction(12),
    "hundred": Fraction(100),
    "thousand": Fraction(1_000),
    "million": Fraction(1_000_000),
    "billion": Fraction(1_000_000_000),
    "hal(?:f|ves)": Fraction(1, 2),
    "thirds?": Fraction(1, 3),
    "(?:quarter|fourth)s?": Fraction(1, 4),
    "tenths?": Fraction(1, 10),
}
_NUMBER_WORD = re.compile(
    rf"\b(?:{'|'.join(sorted(NUMBER_WORDS, key=len, reverse=True)).replace('-', '[- ]')})\b"
)
ORDINALS = {  # as words and as figures; the last has the place before the first
    word: place
    for place, words in enumerate(
        ("first 1st", "second 2nd", "third 3rd", "fourth 4th", "fifth 5th")
    )
    for word in words.split()
} | {"last": -1}
FILLERS = set(  # of an answer that is a letter
    "option answer letter choice word statement false one and then finally the my is it i choose pick think right "
    "correct because".split()
)
OPERATORS: dict[type, Callable[[Fraction, Fraction], Fraction]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}
SIGNS = {"·": "*", "×": "*", "÷": "/", ":": "/", "^": "**", " mod ": "%"}
MOST_SIGNS = 8  # each of which may part an answer; those that stand there most often
MOST = 2_000  # characters of an answer; a longer one is none of ours


def tidy(text: str) -> str:
    """The text without what nobody sees: blanks at its ends, directions and joints without width; composed (NFC).

    >>> tidy("  hu\\u200bg ")
    'hug'
    """
    return unicode_form("NFC", INVISIBLE.sub("", text)).strip()


def said(typed: str) -> list[str]:
    """What was typed, without words that only lead to it, and as it stands.

    >>> said("tokens: un|hug"), said('It is "bun"'), said("un|hug (2 tokens)"), said("array(['bun'], dtype='<U3')")
    (['un|hug', 'tokens: un|hug'], ['"bun"', 'It is "bun"'], ['un|hug', 'un|hug (2 tokens)'], ["['bun']"])
    """
    text = CALL.sub(r"\1", tidy(typed))
    return distinct([TAIL.sub("", LEAD_IN.sub("", text)) or text, text])


def items(text: str) -> list[str]:
    """The items of a list that is numbered, or whose lines have bullets; none of any other text.

    >>> items("1. un\\n2. hug"), items("1) c, 2) b"), items("- un\\n- hug"), items("un, hug")
    (['un', 'hug'], ['c', 'b'], ['un', 'hug'], [])
    """
    before, *parts = re.split(r"(?:^|\s|(?<=[,;]))#?(\d+)[.):]\s+", text)
    if (
        parts
        and not before.strip()
        and parts[::2] == [str(n) for n in range(1, len(parts[::2]) + 1)]
    ):
        return [part.strip(" ,;\n") for part in parts[1::2]]
    bulleted = re.findall(r"^\s*[-*•–]\s+(.*)$", text, re.MULTILINE)
    return bulleted if len(bulleted) == len(text.splitlines()) > 1 else []


def unwrap(text: str) -> str:
    """The text without the quotes, backticks or brackets around all of it.

    >>> unwrap("`hug`"), unwrap('"[un, hug]"'), unwrap("[UNK] [UNK]"), unwrap("[UNK]")
    ('hug', 'un, hug', '[UNK] [UNK]', '[UNK]')
    """
    text = text.strip()
    while len(text) > 1:
        text = EMPHASIS.sub(r"\2", text).strip()
        opening, inner, closing = text[0], text[1:-1], text[-1]
        quoted = QUOTES.get(opening) == closing and opening not in inner and closing not in inner
        depths = [*accumulate(((char == opening) - (char == closing) for char in inner), initial=0)]
        bracketed = (
            BRACKETS.get(opening) == closing
            and min(depths) == depths[-1] == 0
            and inner != "UNK"
            and (opening != "<" or re.search(r"[\s,;|]", inner))  # `<s>` is a token
        )
        if not (quoted or bracketed) or not inner.strip():
            return text
        text = inner.strip()
    return text


def phrases(typed: str) -> list[str]:
    """The ways to read a word, a phrase or a string: as it stands, without wrapping, without a final full stop.

    >>> phrases(" 'lowest rank'. "), phrases("the token `un`")
    (["'lowest rank'.", "'lowest rank'", 'lowest rank'], ['the token `un`', 'un'])
    """
    found = []
    for text in said(typed):
        bare = text.rstrip(".。!").rstrip() or text
        named = re.sub(
            r"^(?:the )?(?:token|word|pair|text|string) (?=\S)|^.*\S = (?=['\"])",
            "",
            bare,
            flags=re.IGNORECASE,
        )
        inner = unwrap(bare)
        found += [text, unwrap(text), bare, inner, inner.rstrip(".。") or text, unwrap(named)]
    return distinct(found)


_STRING = r"'[^']*'|\"[^\"]*\""


def literal(typed: str) -> Sequence | None:
    """The list or tuple that a Python literal holds; None for anything else.

    >>> literal("['un', 'hug']"), literal("[un, hug]")
    (['un', 'hug'], None)
    """
    typed = re.sub(  # ['un' 'hug'] would be one string
        rf"({_STRING})(\s+(?=['\"]))?", lambda found: found[1] + ", " * bool(found[2]), typed
    )
    try:
        with warnings.catch_warnings(action="ignore"):  # Python wonders about `1if`
            value = ast.literal_eval(typed.strip(" \n;"))
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None
    return value if isinstance(value, (list, tuple)) else None


def sequences(typed: str) -> list[list[str]]:
    """The ways to read tokens: cut at bars, at commas, at blanks, or at all of them.

    >>> sequences("un | hug")[0], sequences("`un`, `hug`.")[0], sequences("un hug"), sequences("the , cat")
    (['un', 'hug'], ['un', 'hug'], [['un', 'hug']], [['the', 'cat'], ['the', ',', 'cat']])
    >>> sequences("un@@hug"), sequences("@@un @@hug")
    ([['un@@hug'], ['un@@', 'hug']], [['@@un', '@@hug']])
    >>> sequences("z<0xC3><0xAB>n")[0], sequences("[hug ##s] [UNK]")
    (['z', '<0xC3>', '<0xAB>', 'n'], [['hug', '##s', '[UNK]']])
    """
    found, lines = [], []
    for text in said(typed):
        if GROUPS.fullmatch(text):
            text = re.sub(r"[\[\]]", " ", text).strip()
        text = re.sub(  # `[UNK][UNK]`, `z<0xC3><0xAB>n`, and `un hug (3 + 4 = 7)`
            r"(?<=[\])」』”»】])(?=[\[(「『“«【])|(?<=[\w>])(?=<0x)|(?<=<0x[\da-fA-F]{2}>)(?=\w)"
            r"|(?<=\S)\s+\(\d[\d\s.,]*[-+*/=][^()]*\)$",
            " ",
            text,
        )
        as_list = without_offsets(literal(text) or [])
        if as_list and all(isinstance(part, str) for part in as_list):
            return of_list(as_list)
        found.append([unwrap(part) for part in items(text)])
        inner = unwrap(text)
        lines += [inner.rstrip(".。"), re.sub(r"[.。]$", "", inner), inner, text]
    for line in distinct(lines):
        wide = line.translate(WIDE)
        ways = [
            way
            for way in (ARROW, r"\|", "[,;]", r"\s\+\s", rf"[,;]?{THEN}|[,;]")
            if re.search(way, wide)
        ]
        ways.append(r"[|,;\s]+" if ways else r"\s+")
        signs = Counter(re.findall(rf"{SIGN}| / ", wide)).most_common(MOST_SIGNS)
        ways += map(re.escape, sorted(dict(signs)))
        found += [
            *([unwrap(part) for part in re.split(way, wide) if part.strip()] for way in ways),
            line.split(),
            GLUED.sub(" ", line).split(),
        ]
    return distinct(with_unknown(parts) for parts in found if parts)


def without_offsets(parts: Iterable) -> list:
    """The parts of a list; of a pair of a token and its offsets, the token.

    >>> without_offsets([("We", (0, 2)), ("'", (2, 3))])
    ['We', "'"]
    """
    pair = (list, tuple)
    return [
        part[0] if isinstance(part, pair) and len(part) == 2 and isinstance(part[1], pair) else part
        for part in parts
    ]


def of_list(tokens: Sequence[str]) -> list[list[str]]:
    """The ways to read a list of tokens: with `Ġ` for each space around them, or without these.

    >>> of_list(["un", "hug"]), of_list(["We", " hug"])
    ([['un', 'hug']], [['We', 'Ġhug'], ['We', 'hug']])
    """
    spaces = [re.sub("^ +| +$", lambda found: "Ġ" * len(found[0]), token) for token in tokens]
    return distinct(
        with_unknown([tidy(token) or token for token in each]) for each in (spaces, tokens)
    )


def with_unknown(tokens: list[str]) -> list[str]:
    """The tokens, with `[UNK]` for whatever is meant by it, and the names of bytes in capitals.

    >>> with_unknown(["hug", "<unk>", "UNK", "<0xc3>", "0xA9"])
    ['hug', '[UNK]', '[UNK]', '<0xC3>', '<0xA9>']
    """
    return [
        "[UNK]"
        if token.strip("[]<>").upper() == "UNK"
        else re.sub("(?i)^<?0x([0-9a-f]{2})>?$", lambda found: f"<0x{found[1].upper()}>", token)
        for token in tokens
    ]


_PAIR = r"[(\[{][^()\[\]{}]+[)\]}]"
_RESULT = re.compile(r"\s*(?:=>|->|→|⇒|=|:)\s*[^\s+]+\s*$|^\s*[^\s+]+\s*=\s*(?=\S+\s*\+)")


def pairs(typed: str) -> list[list[tuple[str, ...]]]:
    """The ways to read merges: `u+g, h+ug`, `u g; h ug`, `1. u + g = ug`, `("u", "g")`.

    >>> pairs("u+g=ug, h + ug"), pairs("(u, g)"), pairs("u g"), pairs("ug")[0]
    ([[('u', 'g'), ('h', 'ug')]], [[('u', 'g')], [('u',), ('g',)]], [[('u', 'g')]], [('u', 'g')])
    >>> pairs('("u", "g") -> "ug"')[0], pairs("5. u + g")[0]
    ([('u', 'g')], [('u', 'g')])
    >>> pairs("u+g!"), pairs("u+!")
    ([[('u', 'g')]], [[('u', '!')]])
    """
    text = re.sub(r"(?<=[\w)\]])!$|[ .,;]+$", "", said(typed)[0].translate(WIDE))
    text = re.sub(r"\s+(?:plus|with)\s+", "+", AROUND_PAIR.sub("", text))
    found = [[tuple(text)]] if len(text) == 2 and text.isalpha() else []
    text = re.sub(r"<([^<>]*[\s,+|][^<>]*)>", r"(\1)", text)  # but not `</w>`
    listed = items(text)
    text = re.sub(r"^\d+[.)]\s+(?=[^\s+]+\s*\+)", "", text) if not listed else text
    joined = re.sub(
        rf"({_PAIR})\s*(?:[-=]>|[→=])\s*[^\s,;()\[\]]+", r"\1", " ".join(listed) or text
    )
    bracketed = re.findall(r"[(\[{]([^()\[\]{}]+)[)\]}]", joined)
    if bracketed and not re.sub(rf"{_PAIR}|[\s,;\[\]()]|and|then|[-=]>|→", "", joined):
        found.append([_sides(part, r"[+,|\s]+") for part in bracketed])
    next_merge = rf"[;\n]|,?(?:{THEN})|,|(?:[-=]>|[→⇒|/])(?=[^,;→⇒>|/]*\+)"
    lines = [part for part in listed or re.split(next_merge, unwrap(text)) if part.strip()]
    found.append([_sides(_RESULT.sub("", part), r"[+|\s]+") for part in lines])
    ways = [(r"\s", r"\+")] if all("+" in part[1:-1] for part in text.split()) else []
    if "+" not in text:
        text = GLUED.sub(" ", text)
        ways = [(r"[;\n]", rf"{THEN}|{ARROW}|[,|\s]+"), (r"\|", rf"{THEN}|[,\s]+")]
    found += [
        [_sides(part, sides) for part in re.split(merges, text) if part.strip()]
        for merges, sides in ways
    ]
    return distinct(found)


def _sides(part: str, cuts: str) -> tuple[str, ...]:
    return tuple(unwrap(side) for side in re.split(cuts, unwrap(part.strip())) if side.strip())


def nested(value: Iterable[object]) -> list[tuple[str, ...]]:
    """A list of merges, each a pair or a string such as "u+g" or "u g"; a single pair counts as a list of one.

    >>> nested(["u", "g"]), nested([["u", "g"]]), nested(["u+g", "p u"])
    ([('u', 'g')], [('u', 'g')], [('u', 'g'), ('p', 'u')])
    """
    parts = list(value)
    strings = [part for part in parts if isinstance(part, str)]
    cut = re.compile(r"(?<=\S)(?:\s*\+\s*|\s+)(?=\S)")
    if len(strings) == len(parts) == 2 and not any(map(cut.search, strings)):
        return [(strings[0], strings[1])]
    sides = [cut.split(part) if isinstance(part, str) else part for part in parts]
    return [tuple(side) if isinstance(side, (list, tuple)) else (str(side),) for side in sides]


_DIGITS = r"\d[\d\s,.'’_]*\d|\d"
_POWER = r"(?:\s*[eE]\s*[-+]?\d{1,2}|\s*[x×·*]\s*10\s*(?:\^|\*\*)\s*\(?[-+]?\d{1,2}\)?)"
_NUMBER = re.compile(rf"(?:[-+]\s?)?(?:{_DIGITS}|\.\d+){_POWER}?")
_GROUPED = re.compile(r"\d{1,3}(?:[,.'’_ ]\d{3})+")


DRESSED = (
    (
        r"[.。?;:]+$|(?<=\w\w)!+$|(?<=\d)(?:-?fold|[x×]|[぀-鿿가-힣]+)$",
        "",
    ),  # "25x", "25個"; but 5! may be a factorial
    (r"(?i)^half$", "1/2"),
    (r"(?i)^(?:never|not at all|not once|no times)$", "0"),
    (r"^(?:#|No\.?|[x×])\s*(?=\d)", ""),
    (r"(?i)^minus\s+(?=\d)", "-"),
    (r"(?<=\d)k\b", " thousand"),
    (r"(?i),? \(?rounded to \w+ (?:decimal |significant )?(?:decimals?|digits|places)\)?$", ""),
    (r"(?i),? rounded down to (?=\d)", " ≈ "),
    (r"(?i)^(.+?),? \(?rounded(?: \w+)? from ([\d.,/ %]+)\)?$", r"\2 ≈ \1"),
    (r"(?i)^([^(]*?\d[^(]*?)(?:,? because|,? since|, as) ([^()]+)$", r"\1 (\2)"),
    (r"(\d[^()]*?)\s*\([^()\d%]+(?:from [01])?\)$", r"\1"),  # "8 tokens (w ##i ##d)"
    (r"\((?:out )?(of \d+)\)$", r"\1"),  # "31 (of 44)"
    (r"(?<=\()(\d+) (?:out )?of (\d+)(?=\)$)", r"\1/\2"),  # "3/4 (6 of 8)"
    (r"(?i)\s*\b(?:per\s?cent|pct)\b", " %"),
    (r"^([-+]?0)·(?=\d+$)", r"\1."),
    (r"^(\d+)\s+(\d{1,2}\s*/\s*\d{1,3})$", r"\1+\2"),  # "41 1/4"
    (r"(?<=[^\W\d])\s*/\s*(?=[^\W\d])", " per "),  # "tokens/word"
    (r"(?<=\d)\s*x\s*(?=\d)", "×"),  # "8 x 8"
    (r"(?i) to the (?:power (?:of )?)?(\w+?)(?:th)?(?: power)?$", r"^\1"),  # "two to the seventh"
)
_COUNTED = re.compile(  # "three: ug, hug, hugs", but not "3: no, four"
    rf"^\s*(\d+|{_NUMBER_WORD.pattern})\s*:\s+"
    rf"(?!.*(?:\b(?:no|not|or|but|rather|wrong)\b|{_NUMBER_WORD.pattern}))[^\d:=]+$",
    re.IGNORECASE | re.DOTALL,
)
_LISTED = re.compile(  # "4 (true, 1], 0, false)", where there are as many as that
    r"^\s*(\d+)(?: [^\W\d]+)?(?::\s| \()\s*(?!.*\b(?:no|not|or|but|rather|wrong)\b)([^:=]+)$",
    re.IGNORECASE | re.DOTALL,
)
# By the unit that is asked for: the units of its kind, and how many of that they are.
UNITS: dict[str, dict[str, Fraction | int]] = {
    "": {},
    "cents": {
        r"¢|ct\.?|[cC]ents?|c": 1,
        r"(?:US\s?)?(?:[$€£]|[dD]ollars?)|[eE]uros?|USD|EUR|usd|eur": 100,
    },
    "seconds": {
        r"s|[sS]ecs?|[sS]econds?": 1,
        r"m|[mM]ins?|[mM]inutes?": 60,
        r"h|[hH]rs?|[hH]ours?": 3600,
    },
    "MB": {
        r"MB|mb|[mM]egabytes?": 1,
        r"GB|gb|[gG]igabytes?": 1000,
        r"TB|tb|[tT]erabytes?": 1_000_000,
        r"[kK]B|kb|[kK]ilobytes?": Fraction(1, 1000),
        r"B|[bB]ytes?": Fraction(1, 1_000_000),
    },
}
# Units that are none of them, and may stand behind the right number.
FOREIGN = (
    r"[mµun]s|(?:milli|micro|nano)seconds?|d|days?|weeks?|months?|years?"
    r"|(?:[kKMGTP]i?)?[bB]its?|[KMGTPE]iB|[PE]B|pounds?|yen|yuan|¥|rou?bles?|hundredths?|thousandths?"
)
DENIED = re.compile(  # another number, a bound of the number, or a part of a sum, than that which is named
    r"(?:\b(?:no(?!\.)|not|cannot|isnt|never|neither|than|anything but|until|at (?:least|most)|up to|wrong"
    r"|false)\b|n['’]t\b):?[^\d,;:=]*\d|[!<>]=\s*[-+.\d]"
    r"|\b(?:under|over|above|below|almost|nearly|half|twice|double|triple|log|root)\s+(?:of\s+)?\d"
    r"|\d\s+(?:or (?:more|less|fewer)|(?:(?:is|are|would be) )?(?:not|wrong|false|too)|squared|cubed|factorial"
    rf"|per mille|[mb]illions? of|in binary|in hex\w*|(?:times|plus|minus) (?:{_NUMBER_WORD.pattern}))\b"
    r"|\d\s*(?:[-+]|(?:minus|plus|divided by)\b\W*)$",
    re.IGNORECASE,
)
OVERTURNED = re.compile(  # words by which the answer beside them is none
    r"^\W*(?:it(?: is|['’]s) )?(?:not|isn['’]t|never|neither|anything but)\b|\b(?:wrong|false|incorrect)\b|\?\s*no\b",
    re.IGNORECASE,
)
_TWO_RESULTS = re.compile(  # "21, the right one" is 185, but not "3 + 4, which" is 7
    r"\d[^\d,;]*(?:[,;]|\band\b)(?!.*\b(?:answer|result|sum|total|it|that|this|which|number)\b)\D*[^\W\d]\D*$",
    re.IGNORECASE,
)
_WORKED = re.compile(
    r"(=>|->|[→⇒≈≅=]|(?<!\d\s):(?=\s)|\b(?:so|is|gives|makes|thus|hence|therefore)\b)"
)


def numbers(typed: str, unit: str = "", whole: bool = True) -> list[Fraction]:
    """The ways to read a number, with a word around it, or with the working that leads to it.

    unit: the one of UNITS that is asked for, into which others of its kind are changed. whole: whether `3 of 5` is 3;
    otherwise it is a fraction.

    >>> [str(n) for n in numbers("1,234")], [str(n) for n in numbers("0,0345")], [str(n) for n in numbers("1 / 29")]
    (['1234', '617/500'], ['69/2000'], ['1/29'])
    >>> [str(n) for n in numbers("42 times")], [str(n) for n in numbers("5 %")], numbers("3 or 4"), numbers("many")
    (['42'], ['1/20'], [], [])
    >>> [str(n) for n in numbers("7 + 4 = 11")], [str(n) for n in numbers("15 (3 + 12)")], numbers(".1 + .1 = .3")
    (['11'], ['15'], [])
    >>> [str(n) for n in numbers("39 pages (39.16)")], numbers("8 (small 5, tall 2)"), numbers("8 (small 5)")
    (['39'], [], [])
    >>> [str(n) for n in numbers("25x")], [str(n) for n in numbers("four")], [str(n) for n in numbers("8 × 1,000")]
    (['25'], ['4'], ['8000'])
    >>> [str(n) for n in numbers("6.5 minutes", "seconds")], [str(n) for n in numbers("$1.70 = 170 cents", "cents")]
    (['390'], ['170'])
    >>> numbers("30 ms", "seconds"), [str(n) for n in numbers("30 s", "seconds")]
    ([], ['30'])
    """
    listed = _LISTED.match(typed)
    if listed and 1 < int(listed[1]) == len(re.split(r",? and |, ", listed[2])):
        typed = listed[1]
    text = (
        said(
            re.sub(  # of `[UNK]` beside the number, its letters
                r"`(?=[^`]*[^\W\d])[^`\d]+`|\[(?=[^]]*[^\W\d])[^][\d]+\]",
                lambda name: re.sub(r"[^\w\s']", " ", name[0]),
                _COUNTED.sub(r"\1", typed),
            )
        )[0]
        .rstrip(".。 ")
        .strip("*_")
    )
    text = re.sub(r"(?<=\d)(?=[¼-¾⅐-⅞])", " ", text)  # NFKC would make "41¼" a 411/4,
    text = re.sub(r"(?<=\d)[⁻⁰¹²³⁴-⁹]+", r"^(\g<0>)", text)  # and "2⁷" a 27
    text = unicode_form("NFKC", text).replace("−", "-").replace("⁄", "/")
    for dress, plain in DRESSED:
        text = unwrap(re.sub(dress, plain, text))
    text = re.sub(r"(?<=\d)(?:st|nd|rd|th)\b", "", in_digits(text))
    text = re.sub(
        r"^(\d+) (?:(?:out )?of|in) (?:the |all )?(\d+)", r"\1" if whole else r"\1/\2", text
    )
    others = [FOREIGN, *(name for kind in UNITS if kind != unit for name in UNITS[kind])]
    in_another = unit and re.fullmatch(rf"[-+]?[\d.,]+\s*(?:{'|'.join(others)})\.?", text.strip())
    text = "" if in_another or DENIED.search(text) else in_unit(text, UNITS[unit])
    return distinct(_one_number(text) or _result(text))


def in_unit(text: str, units: Mapping[str, Fraction | int]) -> str:
    """The text, with every quantity in the unit of which there is one in `units`.

    >>> in_unit("1m40s", UNITS["seconds"]), in_unit("1,70 € (170 cents)", UNITS["cents"])
    ('100', '170 (170)')
    """
    quantity = rf"((?:{_DIGITS}){_POWER}?)\s*({'|'.join(units)})(?![^\W\d])"

    def counted(found: re.Match) -> str:
        return str(
            int(found["rest"] or 0)
            + sum(
                sum(_values(number)[:1])
                * next(units[each] for each in units if re.fullmatch(each, name))
                for number, name in re.findall(quantity, found[0])
            )
        )

    text = re.sub(r"^(\d{1,3}):(\d\d)(?: ?m\w*)?$", r"\1 min \2", text)
    text = re.sub(rf"(?i)((?:US)?[$€£]|USD|EUR)\s*({_DIGITS})", r"\2 \1", text)
    plain = re.sub(r"\((?!\?)", "(?:", quantity)
    run = rf"{plain}(?:(?:,? and|,|)\s*{plain})*(?:(?: and)?\s*(?P<rest>\d\d?)$)?"
    return re.sub(run, counted, text) if units else text


def in_digits(text: str) -> str:
    """The text, with numbers that are words in digits.

    >>> in_digits("forty two tokens"), in_digits("two thousand one hundred and five"), in_digits("three quarters")
    ('42 tokens', '2105', '3/4')
    """
    if not re.search(r"\d", text):
        text = _NUMBER_WORD.sub(
            lambda word: str(NUMBER_WORDS[word[0].replace(" ", "-")]), text.lower()
        )
    for name, scale in SCALES.items():
        many = rf"(?i)(?<![\d.,])\b(\d+(?:\.\d+)?|an?)[\s-]+{name}\b(?:,?\s+(?:and\s+)?(\d+)\b)?"
        while found := re.search(many, text):
            first = Fraction(found[1]) if found[1][0].isdigit() else 1
            text = text.replace(found[0], str(first * scale + int(found[2] or 0)), 1)
    return text


def _one_number(text: str) -> list[Fraction]:
    """The readings of a text in which there is one number, one fraction or one calculation."""
    found = [match[0] for match in _NUMBER.finditer(text)]
    rest = _NUMBER.sub("0", text)
    if (sum_ := _reckoned(text)) is not None:
        return [sum_]
    if len(found) != 1 or re.search(
        r"\w0|0\w|\w\(|[^\w\s.,:=≈~$€£¥%()\"'`-]|:\s*0|0\s*:", re.sub(r"\s", " ", rest)
    ):
        return []
    values = _values(found[0])
    return [value / 100 for value in values] if "%" in rest else values


def _result(text: str) -> list[Fraction]:
    """The result behind (or, in `15 (3 + 12)`, before) its working; nothing if one contradicts the other."""
    if aside := re.fullmatch(r"([^()]+)\(([^()]+)\)", text):
        parts = re.findall(r"[^\W\d]+ (\d+)(?:, |$)", aside[2])  # "8 (small 5, tall 3)"
        inner = _result(aside[2]) or _one_number(" + ".join(parts) if len(parts) > 1 else aside[2])
        whole = [value // 1 for value in inner if "." in aside[2]]  # "39 pages (39.16)"
        return [
            value
            for value in _one_number(aside[1].strip()) or _result(aside[1])
            if value in (*inner, *whole)
        ]
    parts = _WORKED.split(text)
    if (
        len(parts) == 1
        or parts.count(":") > 1
        or _TWO_RESULTS.search(parts[-3])
        or not re.match(r"[\s~$€£¥(]*[-+.\d]", parts[-1])
    ):
        return []
    *_, before, sign, last = parts
    values, decimals = _one_number(last.strip(" ,")), re.search(r"[.,](\d+)\D*$", last)
    of_words = re.search(r"[^\W\d]\s*[-+*/×·]", before)  # "t e e + 2 = 5"
    if sign not in "≈≅=" or of_words or not (equal := _one_number(before.strip(" ,"))):
        return values
    rounded = Fraction(1, 10 ** len(decimals[1])) if decimals else int(sign != "=")
    if re.fullmatch(r"\s*[01]{6,}\s*", before):  # in binary
        equal.append(Fraction(int(before, 2)))
    return [
        value
        for value in values
        if any(
            abs(value - other) <= rounded * (other % rounded > 0 if decimals else 1)
            or value == other // 1
            for other in equal
        )
    ]


def _reckoned(text: str) -> Fraction | None:
    """What comes out of a short calculation such as `20 / (36 · 20)`; None for anything else."""
    # "48 * 1,000 + 62 tokens", "48 characters + 62 merges"
    sums = re.sub(
        r"(?<=\d),(?=\d{3}(?!\d))|(?:\s+[^\W\d]+)+$|(?<=\d)(?:\s+[^\W\d]{3,})+(?= \+ \d)", "", text
    )
    sums = re.sub(r"(?<=\d),(?=\d)", ".", sums)
    for sign, plain in SIGNS.items():
        sums = sums.replace(sign, plain)
    if not re.fullmatch(r"[\d.\s()+*/%-]{3,60}", sums) or not re.search(r"[*/+(%]|\d\s*-", sums):
        return None
    try:
        value = value_of(ast.parse(sums.strip(), mode="eval").body)
        return value if value >= 0 or re.search(r"[*/+(%]", sums) else None  # `3 - 4`: from 3 to 4
    except (ValueError, SyntaxError, ZeroDivisionError, RecursionError):
        return None


def value_of(node: ast.expr) -> Fraction:
    """What comes out of a calculation; ValueError if it is none, or its powers are too high."""
    if isinstance(node, ast.Constant):
        return Fraction(str(node.value))
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -value_of(node.operand)
    if isinstance(node, ast.BinOp):
        left, right = value_of(node.left), value_of(node.right)
        if (
            isinstance(node.op, ast.Pow)
            and right.denominator == 1
            and 0 <= right <= 40
            and abs(left) <= 100
        ):
            return left ** int(right)
        if type(node.op) in OPERATORS:
            return OPERATORS[type(node.op)](left, right)
    raise ValueError("no calculation")


def _values(digits: str) -> list[Fraction]:
    """What one run of digits may be worth: commas and points stand for thousands or for the decimal point."""
    power = Fraction(-1 if digits.startswith("-") else 1)
    if scientific := re.search(
        r"(?:[eE]|[x×·*]\s*10\s*(?:\^|\*\*)\s*\(?)\s*([-+]?\d{1,2})\)?$", digits
    ):
        power, digits = power * Fraction(10) ** int(scientific[1]), digits[: scientific.start()]
    bare, forms = re.sub(r"\s+", " ", digits.lstrip("+-").strip()), []
    if (
        _GROUPED.fullmatch(bare)
        and not bare.startswith("0")
        and len(set(re.findall(r"\D", bare))) == 1
    ):
        forms = [re.sub(r"\D", "", bare)]
        one_separator = bare.count(",") == 1 or bare.count(".") == 1  # it may be a decimal one
        if one_separator and not bare.endswith(",000"):
            forms.insert(0 if "." in bare else 1, bare.replace(",", "."))
    elif re.fullmatch(r"[\d_]*[.,]?\d+(?:_\d+)*", bare):
        forms = [bare.replace("_", "").replace(",", ".")]
    elif mixed := re.fullmatch(r"(\d{1,3}(?:([,.'’ ])\d{3})(?:\2\d{3})*)([.,])(\d+)", bare):
        forms = [re.sub(r"\D", "", mixed[1]) + "." + mixed[4]] if mixed[2] != mixed[3] else []
    return [Fraction(form) * power for form in forms if len(form) < 60]


def letters(typed: str, count: int) -> list[int]:
    """The options that are named by their letters, such as `(b)`, `b.`, `c > a > b` or `cab`; empty if any is not.

    >>> letters("(b)", 3), letters("c > a > b", 3), letters("cab", 3), letters("ab", 3), letters("d", 3)
    ([1], [2, 0, 1], [2, 0, 1], [], [])
    """
    text = unicode_form("NFKC", unwrap(said(typed)[0])).casefold().translate(LOOK_ALIKES)
    parts = re.findall(r"[^\W_]+|[!¬](?=\w)", " ".join(items(text)) or text)
    parts = [part for part in parts if part not in FILLERS and part not in ORDINALS]
    if len(parts) == 1 and len(parts[0]) == count > 1:
        parts = list(parts[0])
    places = [ord(part) - ord("a") if len(part) == 1 else -1 for part in parts]
    return places if all(0 <= place < count for place in places) else []


def ordinal(typed: str) -> str:
    """The word or figure by which an option is named after its place; empty if it is not.

    >>> ordinal("The first one."), ordinal("2nd"), ordinal("first in the corpus")
    ('first', '2nd', '')
    """
    words = [word for word in re.findall(r"\w+", typed.casefold()) if word not in FILLERS]
    return words[0] if len(words) == 1 and words[0] in ORDINALS else ""


def distinct(values: Iterable) -> list:
    """The values without repeats, in their order; they need not be hashable."""
    values = list(values)
    return [value for place, value in enumerate(values) if value not in values[:place]]
