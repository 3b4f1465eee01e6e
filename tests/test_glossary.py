"""The glossary holds what the source's holds, in four languages, and finds each entry by all of its names."""

import inspect
import re
import unicodedata

import nbformat
import pytest

import subword_lab
import subword_lab.studies.vocabularies
from subword_lab import lessons
from subword_lab.glossary import LANGUAGES, entries, glossary, themes
from subword_lab.views import glossary_table

WORDS = [
    "Byte-Pair Encoding",
    "GPT",
    "RoBERTa",
    "BART",
    "DeBERTa",
    "OpenAI",
    "Tokenization",
    "Corpus",
    "Normalization",
    "Pre-tokenization",
    "Vocabulary",
    "Symbols",
    "ASCII Characters",
    "Unicode Characters",
    "Unknown Token",
    "Byte-level BPE",
    "Merges",
    "Consecutive Tokens",
    "Frequency",
    "Initial Vocabulary",
    "Special Tokens",
]
CODE = [
    "AutoTokenizer",
    "gpt2",
    "backend_tokenizer",
    "pre_tokenize_str()",
    "defaultdict(int)",
    "word_freqs",
    "alphabet",
    "<|endoftext|>",
    "vocab",
    "splits",
    "compute_pair_freqs()",
    "pair_freqs",
    "best_pair",
    "max_freq",
    "merges",
    "vocab_size",
    "merge_pair()",
    "tokenize()",
    "_tokenizer.pre_tokenizer.pre_tokenize_str(text)",
    "sum(splits, [])",
]
SCRIPT = {"english": "LATIN", "russian": "CYRILLIC", "chinese": "CJK", "burmese": "MYANMAR"}

each = pytest.mark.parametrize("entry", entries(), ids=lambda entry: entry.key)


def test_it_holds_the_41_entries_of_the_source_each_once():
    assert sorted(entry.key for entry in entries() if not entry.added) == sorted(WORDS + CODE)
    assert len(WORDS + CODE) == 41


def bold_terms(lesson, root):
    """What a lesson prints in bold, but for sentences, beginnings of sentences (more than three words), and labels."""
    cells = nbformat.read(root / "notebooks" / lesson.file, as_version=4).cells
    text = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    text = re.sub(r"\*\*You will be able.*?(?=\n## )", "", text, count=1, flags=re.DOTALL)
    bold = (" ".join(term.split()) for term in re.findall(r"\*\*([^*]+)\*\*", text))
    return [term for term in bold if not re.search(r"[.?!:`]$", term) and term.count(" ") <= 2]


def test_every_term_that_a_lesson_prints_in_bold_has_an_entry_and_those_added_are_printed(root):
    printed = set()
    for lesson in lessons.LESSONS:
        found = [glossary(term) for term in bold_terms(lesson, root)]
        assert found and max(entry.lesson for entry in found) <= lesson.name
        printed |= {(entry.key, lesson.name) for entry in found}
    assert {(entry.key, entry.lesson) for entry in entries() if entry.added} <= printed


@each
def test_every_word_has_letters_of_each_language(entry):
    for language in LANGUAGES:
        scripts = {
            unicodedata.name(char).split()[0] for char in getattr(entry, language) if char.isalpha()
        }
        assert entry.is_code or SCRIPT[language] in scripts, getattr(entry, language)
        assert scripts <= {"LATIN", SCRIPT[language]}


@pytest.mark.parametrize(
    "entry", [entry for entry in entries() if entry.ours], ids=lambda entry: entry.key
)
def test_what_it_is_called_here_exists(entry):
    path, _, parameter = entry.ours.partition("(")
    found = subword_lab
    for name in filter(None, path.split(".")):
        fields = getattr(found, "__dataclass_fields__", {})
        found = fields[name] if name in fields else getattr(found, name)
    if parameter:
        assert parameter.removesuffix("=...)") in inspect.signature(found).parameters


@each
def test_every_name_finds_its_entry(entry):
    for term in [entry.key, *(getattr(entry, language) for language in LANGUAGES)]:
        assert glossary(term) == entry
        assert glossary(term.upper()) == entry or entry.key == "merges"


@pytest.mark.parametrize(
    "term, key",
    [
        ("merges", "merges"),
        ("Merges", "Merges"),
        ("MERGES", "Merges"),
        ("слияния", "Merges"),
        ("слияние", "Merges"),
        ("tokeniser", "Tokenizer"),
        ("boundary", "Gap"),
        ("合并规则", "Merges"),
        ("ပေါင်းစပ်ရန် စည်းမျဉ်းများ", "Merges"),
        ("bpe", "Byte-Pair Encoding"),
        ("byte pair encoding", "Byte-Pair Encoding"),
        ("base vocabulary", "Initial Vocabulary"),
        ("базовый словарь", "Initial Vocabulary"),
        ("基础词表", "Initial Vocabulary"),
        ("初始词表(基础词表)", "Initial Vocabulary"),
        ("频率", "Frequency"),
        ("compute_pair_freqs", "compute_pair_freqs()"),
        ("pair_freqs()", "pair_freqs"),
        ("bpe.encode", "tokenize()"),
        ('"<|endoftext|>"', "<|endoftext|>"),
        ("  unknown   token ", "Unknown Token"),
        ("[UNK]", "Unknown Token"),
    ],
)
def test_a_term_is_found_however_it_is_written(term, key):
    assert glossary(term).key == key


@pytest.mark.parametrize(
    "term, message",
    [
        ("corpuses", "no entry 'corpuses'; did you mean 'Corpus' or 'Score'?"),
        ("слияний", "no entry 'слияний'; did you mean 'Merges'?"),
        ("pear_freqs", "did you mean 'pair_freqs' or 'compute_pair_freqs()'?"),
        ("", "no entry ''; glossary.entries() lists them all"),
        ("qqq", "no entry 'qqq'; glossary.entries() lists them all"),
        (None, "term is NoneType, None; expected a string"),
        (b"merges", "term is bytes"),
        ("\ud800", "lone surrogate"),
    ],
)
def test_an_unknown_term_says_what_is_close(term, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        glossary(term)


def test_an_entry_as_text_and_in_a_notebook():
    assert repr(glossary("merge_pair")) == (
        "merge_pair()\n"
        "The function that joins one pair in every word. The sources' changes the splits that it is given; ours "
        "returns new ones.\n"
        "Lesson: 01_bpe; here: bpe.merge_pair"
    )
    html = glossary("Merges")._repr_html_() + glossary("<|endoftext|>")._repr_html_()
    looks = '<span lang="my">', '<span lang="zh-Hans">', '<a href="01_bpe.ipynb">01</a>', "&lt;|end"
    assert [look in html for look in looks] == [True] * 4 and "<|" not in html


def test_tables_show_all_of_each_theme():
    assert [entry for theme in themes() for entry in entries(theme)] == entries()
    for entry in entries():
        shown = glossary_table(entry.theme)
        assert " *" not in shown.html(), "a star on a line of its own"
        assert entry.meaning in repr(shown) and f'href="{entry.lesson}.ipynb"' in shown.html()
    with pytest.raises(ValueError, match="theme is 'Models'; expected one of 'Text and its char"):
        entries("Models")


def test_the_page_shows_every_theme_under_its_own_heading(root):
    page = (root / "notebooks" / lessons.GLOSSARY).read_text(encoding="utf-8")
    assert re.findall(r'"## (.+?)(?:\\n)?"', page)[1:] == themes()
    assert re.findall(r'glossary_table\("(.+?)"\)', page.replace("\\", "")) == themes()
