"""Folders as transformers reads them: what special tokens are there for is written, read and kept."""

import json
import os
import re

import pytest

from subword_lab import Tokenizer

TEXTS = ["hug pug hugs . <"] * 3
CONFIG, MAP = "tokenizer_config.json", "special_tokens_map.json"
BERT = Tokenizer.train(TEXTS, "wordpiece", 30)
BPE = Tokenizer.train(TEXTS, vocab_size=262).add_tokens(["<|pad|>"], special=True)
PADS = BPE.with_roles(pad_token="<|pad|>")


def read(path):
    return json.loads(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    "tokenizer, roles",
    [
        (BERT, "unk_token [UNK] sep_token [SEP] pad_token [PAD] cls_token [CLS] mask_token [MASK]"),
        (BPE, "bos_token <|endoftext|> eos_token <|endoftext|> pad_token <|pad|>"),
        (PADS, "bos_token <|endoftext|> eos_token <|endoftext|> pad_token <|pad|>"),
        (
            Tokenizer.train(TEXTS, "unigram", 30),
            "bos_token <s> eos_token </s> unk_token <unk>",
        ),
    ],
)
def test_roles_are_written_and_read(tokenizer, roles, tmp_path):
    tokenizer.save(tmp_path)
    names = roles.split()
    roles = dict(zip(names[::2], names[1::2]))
    assert read(tmp_path / MAP) == roles
    assert roles.items() <= read(tmp_path / CONFIG).items()
    again = Tokenizer.load(tmp_path)
    assert again.encode("hugs pug").pieces == tokenizer.encode("hugs pug").pieces
    assert Tokenizer.load(tmp_path / "tokenizer.json").get_vocab() == tokenizer.get_vocab()
    again.save(tmp_path)
    assert read(tmp_path / MAP) == roles


def test_transformers_pads_without_being_told(tmp_path):
    transformers = pytest.importorskip("transformers")
    PADS.save(tmp_path)
    theirs = transformers.PreTrainedTokenizerFast.from_pretrained(tmp_path)
    rows = theirs(["hug", "hugs pug"], padding=True)
    ids = [PADS.encode("hug").ids, PADS.encode("hugs pug").ids]
    pad = PADS.token_to_id("<|pad|>")
    assert rows["input_ids"] == [ids[0] + [pad] * (len(ids[1]) - len(ids[0])), ids[1]]
    theirs.save_pretrained(tmp_path / "again")
    assert Tokenizer.load(tmp_path / "again").parts.config["pad_token"] == "<|pad|>"


def test_what_was_read_is_kept_also_when_ids_change(tmp_path):
    """A chat template, settings, and a token as an object; not the list of added tokens, which has ids."""
    BERT.save(tmp_path)
    mask = {"content": "[MASK]", "lstrip": True}
    config = {"chat_template": "{{ messages }}", "model_max_length": 512, "pad_token": None}
    added = {"added_tokens_decoder": {"4": {"content": "[MASK]", "special": True}}}
    (tmp_path / CONFIG).write_text(json.dumps(config | added), encoding="utf-8")
    (tmp_path / MAP).write_text(json.dumps({"mask_token": mask, "pad_token": "[PAD]"}))
    tokenizer = Tokenizer.load(tmp_path).cut_down(16).add_tokens(["hugging"])
    tokenizer.with_roles(cls_token="[SEP]").save(tmp_path)
    roles = {"mask_token": mask, "pad_token": "[PAD]", "cls_token": "[SEP]"}
    assert read(tmp_path / MAP) == roles
    assert read(tmp_path / CONFIG) == config | roles


def test_without_the_other_files_a_folder_is_its_tokenizer(tmp_path):
    BERT.save(tmp_path / "tokenizer.json")
    assert Tokenizer.load(tmp_path).parts == BERT.parts


@pytest.mark.skipif(os.name != "posix", reason="links, which Windows does not let everybody make")
def test_a_folder_that_holds_a_link_leads_to_no_other_file(tmp_path):
    folder, other = tmp_path / "tokenizer", tmp_path / "settings.json"
    folder.mkdir()
    other.write_text("{}")
    (folder / MAP).symlink_to(other)
    with pytest.raises(ValueError, match=f"{MAP} is a link to .*settings.json"):
        BERT.save(folder)
    assert other.read_text() == "{}" and [*folder.iterdir()] == [folder / MAP]
    (tmp_path / "link").symlink_to(tmp_path / "tokenizer")
    (folder / MAP).unlink()
    BERT.save(tmp_path / "link")
    assert read(folder / MAP)


@pytest.mark.parametrize(
    "content, message",
    [
        ('{"pad_token": "<pad>"}', "pad_token is '<pad>', which tokenizer.json does not have"),
        ('{"pad_token": 7}', "pad_token is 7; expected str"),
        ('{"added_tokens_decoder": {"7": {"content": "[sep]"}}}', "7 is '[sep]', which tokenizer.json does not have"),
        ('{"added_tokens_decoder": []}', "added_tokens_decoder is []; expected dict"),
        ("[]", "the file is []; expected dict"),
        ("{", "it is no JSON"),
    ],
)  # fmt: skip
def test_files_that_contradict_the_tokenizer_are_refused(content, message, tmp_path):
    for name in (CONFIG, MAP):
        BERT.save(tmp_path)
        (tmp_path / name).write_text(content, encoding="utf-8")
        with pytest.raises(ValueError, match=f"{name}: .*{re.escape(message)}"):
            Tokenizer.load(tmp_path)
