"""Real vocabularies, where the package that carries them is installed: the same ids and offsets as other libraries."""

import re
import unicodedata

import parity
import pytest

from subword_lab import Tokenizer, glossary, text
from subword_lab.interchange.patterns import PATTERNS
from subword_lab.interchange.published import PUBLISHED, numbers_of
from subword_lab.studies.todays_models import MODELS

CODE = "def hug(self, n=1_000_000):\n\treturn [x**2 for x in range(n)]  # don't\r\n\r\n    pass\n"
TEXTS = [
    *parity.languages(),
    *text.load_passage().splitlines(),
    CODE,
    "12345678 \u00b2\u00bd \u2167 I'LL we'Re",
    *(word for entry in glossary.entries() for word in entry.translations.values()),
    *parity.random_texts(300),
]


def test_without_the_package_the_extra_is_named(monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "quicktok", None)
    with pytest.raises(ImportError, match=r"quicktok.*subword-lab\[vocabularies\]"):
        Tokenizer.from_vocabulary("o200k_base")
    with pytest.raises(ValueError, match="name is 'gpt-5'"):
        Tokenizer.from_vocabulary("gpt-5")


@pytest.mark.parametrize("data", [b"", b"\2\0\0\0\1\0a\0\0\0\0", b"\1\0\0\0\1\0a\0\0\0\0\0"])
def test_a_file_that_is_written_in_another_way_is_not_read(data):
    with pytest.raises(ValueError, match="as expected"):
        numbers_of(data, first=False)


def published(name):
    """The numbers that the table of today's models gives for a vocabulary."""
    row = next(row for row in MODELS if row.vocabulary == name)
    return {int(number.replace(",", "")) for number in re.findall(r"\d[\d,]*", row.tokens)}


@pytest.mark.slow
@pytest.mark.parametrize("name", PUBLISHED)
def test_ids_and_offsets_are_those_of_other_libraries(name):
    quicktok, tiktoken = pytest.importorskip("quicktok"), pytest.importorskip("tiktoken")
    ours, theirs = Tokenizer.from_vocabulary(name), quicktok.get_encoding(name)
    special = {token: ours.token_to_id(token) for token in ours.parts.special_tokens}
    ranks = {text.chars_to_bytes(token): ours.parts.ids[token] for token in ours.parts.model.vocab}
    scheme, steps = PUBLISHED[name]
    third = tiktoken.Encoding(
        name, pat_str=PATTERNS[scheme], mergeable_ranks=ranks, special_tokens=special
    )
    for string in TEXTS:
        found, normal = (
            ours.encode(string),
            unicodedata.normalize("NFC", string) if steps else string,
        )
        assert found.ids == third.encode(normal)
        # The package's own encoder finds tokens of Llama 3 to which no merges lead: see studies/differences.py.
        assert name == "llama3" or found.ids == theirs.encode(string)
        assert ours.decode(found.ids) == normal
        if normal == string:
            assert [start for start, _ in found.offsets] == third.decode_with_offsets(found.ids)[1]
    sizes = {ours.vocab_size, max(ours.parts.ids.values()), len(ranks), len(special)}
    assert published(name) <= sizes | {3}  # Qwen has more control tokens by now
    for token, number in special.items():
        assert (
            ours.encode(token, allowed_special="all").ids
            == theirs.encode(token, allowed_special="all")
            == [number]
        )
