"""The table of libraries, held against the libraries. Of these only tokenizers is needed by the project's tests; the
others are asked where they are installed: pip install sentencepiece subword-nmt tiktoken rustbpe bpeasy"""

import io
import json
import random

import pytest

from subword_lab import bpe, documented, text

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
    assert 7 < trained("BPE", vocab_size=1000, min_frequency=10).get_vocab_size() < everything
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
