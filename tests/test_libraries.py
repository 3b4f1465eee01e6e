"""The table of libraries, held against the libraries. Of these only tokenizers is needed by the project's tests; the
others are asked where they are installed: pip install sentencepiece subword-nmt tiktoken rustbpe bpeasy"""

import io
import json
import random
import re
import struct
from collections import Counter

import pytest

from subword_lab import bpe, documented, exercises, text

LIBRARIES = {library.name: library for library in documented.libraries()}
HUG = ["hug hug hug pug pug pun pun pun bun hugs hugs"] * 3


def corpora():
    """Small texts with many ties."""
    rng = random.Random(5)
    for _ in range(20):
        words = ["".join(rng.choices("abcde", k=rng.randint(1, 6))) for _ in range(12)]
        yield " ".join(rng.choices(words, k=30))


# -------------------------------------------------------------------------------------- ties: the first ten new tokens


def tokenizers_bpe(line):
    tokenizer = trained("BPE", [line], vocab_size=20)
    return ["".join(merge) for merge in json.loads(tokenizer.to_str())["model"]["merges"]][:10]


def sentencepiece_bpe(line):
    sentencepiece = pytest.importorskip("sentencepiece")
    file = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter([line]),
        model_writer=file,
        vocab_size=25,
        model_type="bpe",
        hard_vocab_limit=False,
        normalization_rule_name="identity",
        character_coverage=1.0,
        minloglevel=2,
    )
    model = sentencepiece.SentencePieceProcessor(model_proto=file.getvalue())
    return [
        piece
        for piece in map(model.id_to_piece, range(3, model.get_piece_size()))
        if len(piece) > 1
    ][:10]


def tiktoken_bpe(line):
    educational = pytest.importorskip("tiktoken._educational")
    return [
        token.decode() for token in list(educational.bpe_train(line, 266, r" ?\S+", None))[256:]
    ]


def rustbpe_bpe(line):
    tokenizer = pytest.importorskip("rustbpe").Tokenizer()
    tokenizer.train_from_iterator(iter([line]), 266, pattern=r" ?\S+")
    return [bytes(token).decode() for token, _ in tokenizer.get_mergeable_ranks()[256:]]


def bpeasy_bpe(line):
    ranks = pytest.importorskip("bpeasy").train_bpe(iter([line]), r" ?\S+", 128, 266)
    return [token.decode() for token in sorted(ranks, key=ranks.get)[256:]]


@pytest.mark.parametrize(
    "name, theirs, scheme",
    [
        ("tokenizers BpeTrainer", tokenizers_bpe, "split"),
        ("sentencepiece BPE", sentencepiece_bpe, "metaspace"),
        ("tiktoken (its educational module)", tiktoken_bpe, "byte-level"),
        ("rustbpe", rustbpe_bpe, "byte-level"),
        ("bpeasy", bpeasy_bpe, "byte-level"),
    ],
)
def test_the_tie_rule_is_the_program_s(name, theirs, scheme):
    ties = LIBRARIES[name].our_ties
    for line in corpora():
        found = theirs(line)
        words = text.word_freqs([line], scheme)
        if scheme == "byte-level":  # the programs' own ids are those of the bytes
            words = {text.chars_to_bytes(word).decode(): freq for word, freq in words.items()}
        ours = bpe.train(
            words,
            num_merges=len(found) + 4,
            ties=ties,
            alphabet=map(chr, range(256)) if scheme == "byte-level" else (),
        )
        assert found and list(dict.fromkeys(map("".join, ours.merges)))[: len(found)] == found


def test_the_tie_rule_of_subword_nmt_is_the_greatest_pair():
    learn = pytest.importorskip("subword_nmt.learn_bpe").learn_bpe
    for line in corpora():
        file = io.StringIO()
        learn(io.StringIO(line), file, 10)
        found = [tuple(row.split()) for row in file.getvalue().splitlines()[1:]]
        words = text.word_freqs([line], "split")
        splits = {word: [*word[:-1], word[-1] + "</w>"] for word in words}
        for pair in found:
            assert pair == bpe.best_pair(
                bpe.pair_freqs(words, splits), LIBRARIES["subword-nmt"].our_ties
            )
            splits = bpe.merge_pair(pair, splits)


# ------------------------------------------------------------------------------------- the rest, for tokenizers itself


def trained(kind, lines=HUG, model=None, pre=None, **options):
    """A tokenizer of the library: kind is BPE, WordPiece or Unigram."""
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers

    tokenizer = Tokenizer(getattr(models, kind)(**(model or {})))
    tokenizer.pre_tokenizer = pre or pre_tokenizers.WhitespaceSplit()
    trainer = getattr(trainers, {"BPE": "BpeTrainer"}.get(kind, f"{kind}Trainer"))
    tokenizer.train_from_iterator(lines, trainer(show_progress=False, **options))
    return tokenizer


@pytest.mark.parametrize(
    "kind, model, options, given, tokens",
    [
        ("BPE", {}, {"vocab_size": 12}, "hxyg", ["h", "g"]),
        (
            "BPE",
            {"unk_token": "[UNK]"},
            {"special_tokens": ["[UNK]"]},
            "hxyg",
            ["h", "[UNK]", "[UNK]", "g"],
        ),
        (
            "BPE",
            {"unk_token": "[UNK]", "fuse_unk": True},
            {"special_tokens": ["[UNK]"]},
            "hxyg",
            ["h", "[UNK]", "g"],
        ),
        ("WordPiece", {"unk_token": "[UNK]"}, {"special_tokens": ["[UNK]"]}, "hxyg", ["[UNK]"]),
        ("WordPiece", {"unk_token": "[UNK]"}, {"special_tokens": ["[UNK]"]}, "h" * 101, ["[UNK]"]),
    ],
)
def test_unknown_characters_become_what_is_told(kind, model, options, given, tokens):
    assert (
        trained(kind, model=model, **{"vocab_size": 30, **options}).encode(given).tokens == tokens
    )


def test_unknown_characters_of_unigram_are_one_token_a_run_or_an_error():
    tokenizer = trained("Unigram", vocab_size=14, special_tokens=["<unk>"], unk_token="<unk>")
    encoded = tokenizer.encode("hxyg")
    assert encoded.tokens == ["h", "xy", "g"] and encoded.ids[1] == tokenizer.token_to_id("<unk>")
    with pytest.raises(Exception, match="unk_id"):
        trained("Unigram", vocab_size=14).encode("hxyg")


def test_training_stops_as_told():
    everything = trained("BPE", vocab_size=1000).get_vocab_size()
    ours = bpe.train(text.word_freqs(HUG), vocab_size=1000, ties="lowest-ids")
    assert everything == len(ours.vocab) and ours.stopped
    frequent = trained("BPE", vocab_size=1000, min_frequency=10)
    assert 7 < frequent.get_vocab_size() < everything
    assert trained("BPE", vocab_size=9).get_vocab_size() == 9


def test_words_are_marked_as_told():
    from tokenizers import pre_tokenizers

    assert "hug</w>" in trained("BPE", vocab_size=1000, end_of_word_suffix="</w>").get_vocab()
    assert "##g" in trained("WordPiece", vocab_size=1000).get_vocab()
    assert not any("#" in token for token in trained("BPE", vocab_size=1000).get_vocab())
    byte_level = trained(
        "BPE", vocab_size=1000, pre=pre_tokenizers.ByteLevel(add_prefix_space=False)
    )
    assert "Ġhug" in byte_level.get_vocab()


# ---------------------------------------------------------------------------------------------------- the table itself


# ------------------------------------------------------------------------------------------- what exercises say of them


def asked(exercise_id, seed):
    """A question, what its table holds, and its answer."""
    exercise = exercises.load(exercise_id, seed=seed)
    rows = re.findall(r"^\| (.+) \|$", exercise.question.replace("`", ""), re.MULTILINE)
    return exercise.question, [row.split(" | ") for row in rows[1:]], exercise.asked.answer


@pytest.mark.parametrize("seed", range(20))
def test_the_first_merge_of_a_program_is_the_program_s(seed):
    question, rows, answer = asked("compare-04", seed)
    words = {word: int(times) for word, times in rows}
    line = " ".join(word for word, times in words.items() for _ in range(times))
    if "**subword-nmt**" in question:  # its mark stands in the last character
        marked = ([*word[:-1], f"{word[-1]}</w>"] for word in line.split())
        counts = Counter(pair for symbols in marked for pair in zip(symbols, symbols[1:]))
        assert answer == [max(counts, key=lambda pair: (counts[pair], pair))]
    elif "**the tokenizers library**" in question:
        merges = trained("BPE", [line], vocab_size=len({*line} - {" "}) + 1).to_str()
        assert answer == [tuple(json.loads(merges)["model"]["merges"][0])]
    else:
        counts = Counter(pair for word in line.split() for pair in zip(word, word[1:]))
        assert answer == [counts.most_common(1)[0][0]]


@pytest.mark.parametrize("seed", range(20))
def test_ids_are_ranks_for_one_library_and_not_for_the_other(seed):
    question, rows, answer = asked("real-17", seed)
    word = re.search(r"cut `(\w+)`", question)[1]
    merges = [tuple(row[0].split(" + ")) for row in rows]
    ids = {row[1]: int(row[2]) for row in rows}
    if "tokenizers library" in question:
        from tokenizers import Tokenizer, models

        letters = {letter: number for number, letter in enumerate(sorted({*word, *"".join(ids)}))}
        assert Tokenizer(models.BPE(letters | ids, merges)).encode(word).tokens == answer
    else:
        tiktoken = pytest.importorskip("tiktoken")
        ranks = {bytes([byte]): byte for byte in range(256)}
        ranks |= {token.encode(): id for token, id in ids.items()}
        encoding = tiktoken.Encoding("x", pat_str=r"\w+", mergeable_ranks=ranks, special_tokens={})
        assert [encoding.decode([id]) for id in encoding.encode(word)] == answer


def field(number, content):
    """A field of a protocol buffer; the content is shorter than 128 bytes."""
    return bytes([number << 3 | 2, len(content)]) + content


@pytest.mark.parametrize("seed", range(20))
def test_unused_pieces_are_on_the_way(seed):
    sentencepiece = pytest.importorskip("sentencepiece")
    question, _, answer = asked("real-18", seed)
    tokens = ["".join(pair) for pair in re.findall(r"^\d+\. `(\w+)` \+ `(\w+)`$", question, re.M)]
    unused = re.findall(
        r"`(\w+)`", question[question.index("The pieces") : question.index("marked")]
    )
    special = [("<unk>", 0, 2), ("<s>", 0, 3), ("</s>", 0, 3)]
    merged = [(token, -rank, 5 if token in unused else 1) for rank, token in enumerate(tokens)]
    single = [(letter, -100, 1) for letter in sorted({*"".join([*tokens, *answer])})]
    model = b"".join(
        field(1, field(1, piece.encode()) + b"\x15" + struct.pack("<f", score) + bytes([24, kind]))
        for piece, score, kind in [*special, *merged, *single]
    )
    model += field(2, bytes([24, 2])) + field(3, field(1, b"identity") + bytes([24, 0]))
    processor = sentencepiece.SentencePieceProcessor(model_proto=model)
    assert processor.encode("".join(answer), out_type=str) == answer


@pytest.mark.parametrize("library", documented.libraries(), ids=lambda library: library.name)
def test_row(library):
    assert library.checked in ("run", "read")
    assert all([library.name, library.ties, library.mark, library.unknown, library.stop])
    if library.our_ties is not None:
        assert bpe.best_pair({("a", "b"): 1}, library.our_ties, ids={"a": 0, "b": 1}) == ("a", "b")


def test_the_version_of_tokenizers_is_the_one_that_is_asked(root):
    wanted = (root / "pyproject.toml").read_text(encoding="utf-8")
    for library in documented.libraries():
        if library.name.startswith("tokenizers"):
            assert f'"tokenizers=={library.version}"' in wanted
