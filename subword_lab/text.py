"""From text to words: what happens before any of the algorithms sees its corpus.

`normalize` evens out differences that should not matter, `pre_tokenize` cuts a text into words and remembers where
each stood, `word_freqs` counts them. A tokenizer is trained on these counts alone, and never looks across the border
between two words. `byte_alphabet` and its neighbors write bytes as printable characters, as GPT-2 does.

Which characters are letters, marks, numbers, punctuation or space is decided by a table in `data/char_classes.txt`,
so that the words are those of the tokenizers library (0.23.3), whatever the version of Python. It differs from
Python's own `unicodedata` and `re`, compared here with Python 3.11 (Unicode 14):

- letter, number and word follow Unicode 16: 9,272 more letters, 120 more numbers. A word character is a letter, a
  mark, a decimal digit, a letter-like number or symbol (`Ⅷ`, `Ⓐ`), a connector such as `_`, or a joiner; so Burmese
  and Hindi vowel signs stay in their word, and the `²` of `km²` does not. Python's `re` does the opposite with both.
- punctuation (BERT) follows an older list: 104 characters of later versions are missing, such as U+2E43; the ASCII
  symbols ``$+<=>^`|~`` count as punctuation.
- upper and lower (o200k): letters and marks that may stand in the upper-case, or the lower-case, part of a word.
- mark and control (BERT's cleaning) follow that older list too: 384 marks and 13 format characters are missing.
- space is Unicode's White_Space. `str.split`, and with it the scheme "split", also splits at U+001C to U+001F.
"""

import codecs
import json
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import cache, partial
from itertools import chain, groupby
from typing import Any, Literal

from . import engines, files
from .arguments import check, check_choice, check_string, shorten, wrong_type

_CONTRACTION = "(?i:'s|'t|'re|'ve|'m|'ll|'d)"
_LETTERS = r"[^\r\n{letter}{number}]?[{letter}]+"
_REST = (
    r" ?[^{space}{letter}{number}]+[\r\n]*|[{space}]*[\r\n]+|[{space}]+(?![^{space}])|[{space}]+"
)

# Scheme -> what a word is: a regular expression, in which {letter} stands for the characters of that class.
PATTERNS = {
    "split": r"\S+",
    "spaces": r"[^{space}]+",
    "whitespace": r"[{word}]+|[^{word}{space}]+",
    "byte-level": r"'s|'t|'re|'ve|'m|'ll|'d| ?[{letter}]+| ?[{number}]+| ?[^{space}{letter}{number}]+"
    r"|[{space}]+(?![^{space}])|[{space}]+",
    "cl100k": rf"{_CONTRACTION}|{_LETTERS}|[{{number}}]{{{{1,3}}}}|"
    r" ?[^{space}{letter}{number}]+[\r\n]*|[{space}]+\Z|[{space}]*[\r\n]|[{space}]+(?![^{space}])|[{space}]",
    "llama-3": rf"{_CONTRACTION}|{_LETTERS}|[{{number}}]{{{{1,3}}}}|{_REST}",
    "qwen-2": rf"{_CONTRACTION}|{_LETTERS}|[{{number}}]|{_REST}",
    "o200k": rf"[^\r\n{{letter}}{{number}}]?[{{upper}}]*[{{lower}}]+{_CONTRACTION}?"
    rf"|[^\r\n{{letter}}{{number}}]?[{{upper}}]+[{{lower}}]*{_CONTRACTION}?"
    rf"|[{{number}}]{{{{1,3}}}}|{_REST.replace('n]*', 'n/]*', 1)}",
    "bert": r"[{punctuation}]|[^{space}{punctuation}]+",
    "metaspace": r"[ ▁][^ ▁]*|[^ ▁]+",
    "characters": r"(?s:.)",
}
BERT_STEPS = {"clean", "space-chinese", "strip-accents", "lowercase"}
# The schemes that write words as bytes.
BYTE_LEVEL = ("byte-level", "cl100k", "llama-3", "qwen-2", "o200k")
AT_A_TIME = 1 << 19  # characters that Python counts before it asks for compiled code


# ------------------------------------------------------------------------------------------------------ normalization


def normalize(string: str, *steps: str) -> str:
    """Apply normalization steps, from left to right.

    - "nfc", "nfd", "nfkc", "nfkd": Unicode's normalization forms. The D forms take `é` apart into `e` and an accent,
      the C forms put it together; the K forms also replace look-alikes, such as `²` by `2`.
    - "lowercase": character by character, so that a final `Σ` becomes `σ`, as in the tokenizers library.
    - "strip-accents": NFD, then without the marks that take no space of their own, as in BERT. In scripts that write
      vowels as marks this removes vowels.
    - "clean": without control characters, and every white space as a plain space, as in BERT.
    - "space-chinese": a space before and after each Chinese character, as in BERT.
    - "strip": without white space at both ends, as `str.strip`.

    The normalization forms and "lowercase" are Python's own: they leave characters alone that are younger than its
    version of Unicode. Raises ValueError if `string` is not a string, or a step is not known.

    >>> normalize("Héllò hôw are ü?", "strip-accents", "lowercase")
    'hello how are u?'
    >>> normalize("km²", "nfkc")
    'km2'
    """
    check_string("string", string)
    for step in steps:
        check_choice("step", step, NORMALIZERS)
        string = NORMALIZERS[step](string)
    return string


def unicode_form(form: Literal["NFC", "NFD", "NFKC", "NFKD"], string: str) -> str:
    """`unicodedata.normalize`, in little time for any text: of very many marks in a row it would compare all.

    >>> unicode_form("NFC", "e\u0301") == "\xe9"
    True
    """
    if len(string) >= MANY_MARKS and not string.isascii():
        apart = partial(unicodedata.normalize, "NFKD" if "K" in form else "NFD")
        string = MARKS.sub(
            lambda found: "".join(in_order(chain.from_iterable(map(apart, found.group())))), string
        )
    return unicodedata.normalize(form, string)


def in_order(parts: Iterable[Any]) -> Iterator[Any]:
    """Marks that follow a letter in the order that Unicode gives them; a part is a character, or begins with it."""
    runs = groupby(parts, lambda part: unicodedata.combining(part[0]) > 0)
    ordered = (sorted(run, key=lambda part: unicodedata.combining(part[0])) for _, run in runs)
    return chain.from_iterable(ordered)


MANY_MARKS = 1_000
# No mark is a letter to `re`, except for two of Japanese, which become marks.
MARKS = re.compile(rf"(?<![\W\uff9e\uff9f])[\W\uff9e\uff9f]{{{MANY_MARKS},}}")


def _strip_accents(string: str) -> str:
    apart = NORMALIZERS["nfd"](string)
    if apart.isascii():  # as that of the Kelvin sign is
        return apart
    return classes("[{mark}]+", reach(apart)).sub("", apart)


def _clean(string: str) -> str:
    if string.isascii() and string.isprintable():
        return string
    last = reach(string)
    return classes("[{space}]", last).sub(" ", classes("[{control}]+", last).sub("", string))


def _space_chinese(string: str) -> str:
    last = reach(string)
    return string if last == ASCII else classes("([{chinese}])", last).sub(r" \1 ", string)


NORMALIZERS: dict[str, Callable[[str], str]] = {
    "nfc": partial(unicode_form, "NFC"),
    "nfd": partial(unicode_form, "NFD"),
    "nfkc": partial(unicode_form, "NFKC"),
    "nfkd": partial(unicode_form, "NFKD"),
    # No other letter's form depends on what is beside it.
    "lowercase": lambda string: string.replace("Σ", "σ").lower(),
    "strip-accents": _strip_accents,
    "clean": _clean,
    "space-chinese": _space_chinese,
    "strip": str.strip,
}


# --------------------------------------------------------------------------------------------------- pre-tokenization


def pre_tokenize(
    string: str, scheme: str, *, prefix_space: bool | None = None
) -> list[tuple[str, tuple[int, int]]]:
    """Cut a text into words, each with its (start, end) in characters of `string`.

    - "split": at white space, as `str.split` does; punctuation stays with its word.
    - "spaces": at what Unicode calls white space, which U+001C to U+001F are not.
    - "whitespace": runs of word characters, and runs of anything else that is not space.
    - "byte-level": as in GPT-2. A space belongs to the word after it, and every byte is written as one of the
      characters of `byte_alphabet`.
    - "cl100k", "o200k", "llama-3", "qwen-2": the same with the rules of GPT-4, GPT-4o, Llama 3 and Qwen 2: a word may
      begin with one other sign, digits go in threes (Qwen 2: one by one), line ends stay with what is before them.
    - "bert": at white space, and around each punctuation character.
    - "metaspace": before every space, which is written as `▁`, as in SentencePiece.
    - "characters": every character by itself.

    `prefix_space` says whether "byte-level" and "metaspace" treat the first word as if a space stood before it; by
    default "metaspace" does and "byte-level" does not.

    Words and offsets are those of the tokenizers library: WhitespaceSplit ("spaces", and "split" except at U+001C to
    U+001F), Whitespace,
    ByteLevel(add_prefix_space=False), BertPreTokenizer, Metaspace, Split("", "isolated"), and Split with the pattern of
    each model before ByteLevel; those of GPT-4 and GPT-4o are tiktoken's, too. Raises ValueError if
    `string` is not a string, the scheme is not known, or it has no use for `prefix_space`.

    >>> pre_tokenize("Don't stop.", "split")
    [("Don't", (0, 5)), ('stop.', (6, 11))]
    >>> pre_tokenize("Don't stop.", "whitespace")
    [('Don', (0, 3)), ("'", (3, 4)), ('t', (4, 5)), ('stop', (6, 10)), ('.', (10, 11))]
    >>> pre_tokenize("Don't stop.", "byte-level")
    [('Don', (0, 3)), ("'t", (3, 5)), ('Ġstop', (5, 10)), ('.', (10, 11))]
    >>> pre_tokenize("Don't stop.", "metaspace")
    [("▁Don't", (0, 5)), ('▁stop.', (5, 11))]
    """
    check_string("string", string)
    pattern = _pattern(scheme)
    check(
        prefix_space is None or scheme in ("byte-level", "metaspace"),
        f"prefix_space is {prefix_space!r}; the scheme {scheme!r} does not have it, "
        "only 'byte-level' and 'metaspace' do",
    )
    spaced = _with_space(string, scheme, prefix_space)
    matches = classes(pattern, reach(spaced)).finditer(spaced)
    words = [(_spell(match.group(), scheme), match.span()) for match in matches]
    if spaced == string:
        return words
    # The added space has no place in the text: alone, it stands for the first character, as in the library.
    return [(word, (max(start - 1, 0), max(end - 1, 1))) for word, (start, end) in words]


def finder(scheme: str) -> Callable[..., Iterator[re.Match[str]]]:
    """A function that finds the words of a scheme in a string, or between two places of it, as `re` matches.

    >>> [match.group() for match in finder("whitespace")("hug, pug")]
    ['hug', ',', 'pug']
    """
    return classes(_pattern(scheme)).finditer


def words(string: str, scheme: str) -> list[str]:
    """The words of a scheme as they stand in the string, without their places and as characters, not as bytes.

    >>> words("hug, pugs", "byte-level")
    ['hug', ',', ' pugs']
    """
    check_string("string", string)
    return classes(_pattern(scheme), reach(string)).findall(string)


def _pattern(scheme: str) -> str:
    if isinstance(scheme, str) and scheme in file_patterns():
        word = file_patterns()[scheme]
        return word if scheme == "clip" else f"{word}|(?:(?!{word})(?s:.))+"
    check_choice("scheme", scheme, PATTERNS)
    return PATTERNS[scheme]


@cache
def file_patterns() -> dict[str, str]:
    """What files of tokenizers ask for besides `PATTERNS`: their own pattern, or a name -> what a word is.

    What lies between two such words is a word, too; for CLIP it is left out.
    """
    lines = [
        line for line in files.read("data", "patterns.txt").split("\n") if line and line[0] != "#"
    ]
    return dict(zip(lines[::2], lines[1::2], strict=True))


ASCII, FIRST_PLANE, ALL = 0x7F, 0xFFFF, 0x10FFFF


def reach(string: str) -> int:
    """How far the characters of a string reach: ASCII, the first plane of Unicode, or all of it.

    >>> reach("a") == ASCII, reach("é") == FIRST_PLANE, reach("🤗") == ALL
    (True, True, True)
    """
    if string.isascii():
        return ASCII
    return (
        FIRST_PLANE if len(string.encode("utf-16-le", "surrogatepass")) == 2 * len(string) else ALL
    )


@cache
def classes(pattern: str, last: int = ALL) -> re.Pattern[str]:
    """A regular expression in which {letter}, {space} ... stand for the characters of these classes.

    last: how far the texts reach. `re` compares all ranges above the first plane, one by one, with each character.

    >>> classes("[{space}]+").sub("_", "a \\u2003b")
    'a_b'
    """
    return re.compile(pattern.format_map(_char_classes(last)))


@cache
def _char_classes(last: int) -> dict[str, str]:
    """Class -> its characters up to a code point, as they stand between the brackets of a regular expression."""
    classes = defaultdict[str, str](str)  # of some classes, there is none so early
    for name, start, end in files.read_ranges("char_classes.txt"):
        if start <= last:
            classes[name] += f"\\U{start:08x}" + f"-\\U{min(end, last):08x}" * (start < end)
    return classes


# -------------------------------------------------------------------------------------------------- word frequencies


def word_freqs(
    texts: Iterable[str],
    scheme: str = "whitespace",
    *,
    steps: Collection[str] = (),
    engine: str | None = None,
    cluster: Any = None,
) -> dict[str, int]:
    """Count the words of some texts, in the order in which they were first seen.

    `texts` is any iterable of strings, such as a list of sentences or an open file, and is read once. `scheme` is one
    of `pre_tokenize`, steps are those of `normalize` that come before it. engine: "python", "compiled" (for schemes
    that write bytes, "metaspace", and "bert" with its own steps; see `engines`), or None to begin in Python, and to
    leave the rest to compiled code where that is worth it. The counts are the same.

    With engine="dask", `texts` are paths of files, whose lines are counted on a Dask cluster: cluster is its address, a
    client of it, or None for the cores of this machine. The counts, and their order, are those of all lines in a row.

    Raises ValueError if `texts` is a single string, or holds something else than strings; for an engine that is not
    known, not installed, or does not know the scheme; for a file that is missing or not UTF-8, by its name.

    >>> word_freqs(["hug a pug", "hug a bun"])
    {'hug': 2, 'a': 2, 'pug': 1, 'bun': 1}
    """
    if isinstance(texts, str):
        raise ValueError(
            f"texts is a single string, {shorten(texts)}; expected several texts, for example [text] "
            "or text.splitlines()"
        )
    if isinstance(texts, (bytes, bytearray)) or not isinstance(texts, Iterable):
        raise wrong_type("texts", texts, "strings, such as a list of sentences or an open file")
    check_choice("scheme", scheme, PATTERNS)
    steps = tuple(steps)
    if engine == "dask":
        count = partial(word_freqs, scheme=scheme, steps=steps)
        parts = engines.cluster().counted_parts(texts, count, cluster)
        return _added(chain.from_iterable(part.items() for part in parts))
    check(
        cluster is None,
        f"cluster is {shorten(cluster)}; it belongs to engine='dask', and engine is {engine!r}",
    )
    compiled, known = engines.choose(engine), compilable(scheme, steps)
    check(
        not compiled or known,
        f"engine is 'compiled', which knows no scheme {scheme!r} with the steps {[*steps]}; expected "
        f"one of {[*BYTE_LEVEL, 'metaspace']}, or 'bert' with some of {sorted(BERT_STEPS)}",
    )
    strings = (
        text
        if isinstance(text, str) and text.isascii()
        else check_string("a member of texts", text)
        for text in texts
    )

    def found() -> Iterator[list[str]]:
        """The words of texts, until compiled code is worth it."""
        nonlocal compiled
        size, ask_at = 0, AT_A_TIME
        while not compiled and (text := next(strings, None)) is not None:
            size += len(text)
            text = _with_space(normalize(text, *steps) if steps else text, scheme)
            yield classes(PATTERNS[scheme], reach(text)).findall(text)
            if size >= ask_at and known:
                compiled, ask_at = engines.choose(engine, counting=size), 2 * size

    counts, rest = Counter(chain.from_iterable(found())), dict[str, int]()
    if compiled:
        if scheme == "metaspace" or (steps and scheme != "bert"):
            strings = (_with_space(normalize(text, *steps), scheme) for text in strings)
        rest = compiled.count_words(
            strings, scheme, lambda text: words(normalize(text, *steps), scheme)
        )
    spelled = ((_spell(word, scheme), count) for word, count in counts.items())
    return _added(chain(spelled, rest.items())) if counts else rest


def _added(counts: Iterable[tuple[str, int]]) -> dict[str, int]:
    """Counts of several parts of the texts, added up in their order."""
    freqs: dict[str, int] = {}
    for word, count in counts:
        freqs[word] = freqs.get(word, 0) + count
    return freqs


def compilable(scheme: str, steps: Collection[Any] = ()) -> bool:
    """Whether the engine has compiled code for the words of a scheme after these steps.

    >>> compilable("o200k", ["nfc"]), compilable("bert", ["lowercase"]), compilable("bert", ["nfc"])
    (True, True, False)
    """
    return {*steps} <= BERT_STEPS if scheme == "bert" else scheme in (*BYTE_LEVEL, "metaspace")


def _with_space(text: str, scheme: str, prefix_space: bool | None = None) -> str:
    """The text with a space in front, where the scheme puts one or `prefix_space` asks for it."""
    wanted = scheme == "metaspace" if prefix_space is None else prefix_space
    spaces = (" ", "▁") if scheme == "metaspace" else " "
    return " " + text if wanted and text and not text.startswith(spaces) else text


def _spell(word: str, scheme: str) -> str:
    """A word as the scheme writes it."""
    if scheme in BYTE_LEVEL:
        return bytes_to_chars(word.encode())
    return word.replace(" ", "▁") if scheme == "metaspace" else word


def load_word_freqs(name: str) -> dict[str, int]:
    """Word counts that come with the package, in first-seen order.

    "wikitext-2-validation": the validation part of WikiText-2 (S. Merity and others, 2016; text from Wikipedia),
    read line by line with the scheme "whitespace". Raises ValueError if the name is not known.

    >>> freqs = load_word_freqs("wikitext-2-validation")
    >>> len(freqs), sum(freqs.values()), freqs["the"]
    (13731, 239607, 12639)
    """
    check_choice("name", name, ["wikitext-2-validation"])
    rows = (line.split("\t") for line in files.read("data", f"{name}.tsv").splitlines())
    return {word: int(count) for word, count in rows}


def load_texts(name: str) -> dict[str, list[str]]:
    """Texts that come with the package: language -> its sentences, or its articles.

    "parallel": one text about tea in English, Russian, Chinese and Burmese, 26 sentences each, which say the same in
    the same place. "declaration": articles 1 to 15 of the Universal Declaration of Human Rights in 44 languages. Raises
    ValueError if the name is not known.

    >>> for language, sentences in load_texts("parallel").items():
    ...     print(language, len(sentences), sentences[11])
    English 26 So the Russian word is chai, and the English word is tea.
    Russian 26 Поэтому русское слово — чай, а английское слово — ти.
    Chinese 26 所以俄语的词是chai，英语的词是tea。
    Burmese 26 ထို့ကြောင့် ရုရှားစကားလုံးသည် ချိုင် ဖြစ်ပြီး အင်္ဂလိပ်စကားလုံးသည် တီး ဖြစ်သည်။
    """
    check_choice("name", name, ["parallel", "declaration"])
    return json.loads(files.read("data", f"{name}.json"))


def load_passage() -> str:
    """A text to try things on: two pages on how people have written less and meant more, in four languages.

    >>> passage = load_passage()
    >>> len(passage), len(passage.encode()), passage[:21]
    (8400, 9710, 'Saying more with less')
    """
    return files.read("data", "passage.txt")


# ------------------------------------------------------------------------------------------------ bytes as characters


def byte_alphabet() -> list[str]:
    """The 256 characters that stand for the 256 bytes in byte-level BPE, by code point.

    A byte that Latin-1 prints stands for itself; the other 68 (controls, space, DEL, soft hyphen ...) take the code
    points from U+0100 on. So no token holds a space or a control character. From GPT-2's encoder.py (2019).

    >>> alphabet = byte_alphabet()
    >>> len(alphabet), alphabet[:4], alphabet[-1]
    (256, ['!', '"', '#', '$'], 'Ń')
    """
    return sorted(_byte_chars())


def bytes_to_chars(data: bytes) -> str:
    """Write each byte as its character of `byte_alphabet`; ValueError if `data` is not bytes.

    >>> bytes_to_chars("é!".encode()), bytes_to_chars(b" hug")
    ('Ã©!', 'Ġhug')
    """
    if not isinstance(data, (bytes, bytearray, memoryview)):
        hint = " (encode a string first, with .encode())" * isinstance(data, str)
        raise wrong_type("data", data, f"bytes{hint}")
    return codecs.charmap_decode(bytes(data), "strict", _byte_chars())[0]


def chars_to_bytes(string: str) -> bytes:
    """The bytes that characters of `byte_alphabet` stand for; ValueError if one of them is not among the 256.

    >>> chars_to_bytes("Ġhug")
    b' hug'
    """
    check_string("string", string)
    try:
        return bytes(map(stand_ins().__getitem__, string))
    except KeyError as error:
        char = error.args[0]
        raise ValueError(
            f"string holds {char!r} at position {string.index(char)}; expected the 256 characters of "
            "byte_alphabet() only"
        ) from None


@cache
def _byte_chars() -> str:
    printed = {*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)}
    others = (byte for byte in range(256) if byte not in printed)
    stand_ins = {byte: 0x100 + number for number, byte in enumerate(others)}
    return "".join(chr(stand_ins.get(byte, byte)) for byte in range(256))


@cache
def stand_ins() -> dict[str, int]:
    """Each character of `byte_alphabet`, and the byte that it stands for.

    >>> stand_ins()["Ġ"]
    32
    """
    return {char: byte for byte, char in enumerate(_byte_chars())}
