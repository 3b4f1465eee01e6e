"""What makes training and encoding fast: other data structures behind the same functions, and compiled code.

Nothing here changes a result: each is tested equal to the readable functions of the algorithm that uses it. A trainer
imports its part when it is called, so that importing an algorithm stays cheap.

For the trainers, without a compiler: `pair_index` (pairs that keep up with merges, for rules that compare strings, and
for WordPiece's score), `pair_positions` (for `compression`), `suffixes` and `lattices` (for Unigram; for large corpora
`lattice_arrays`, with numpy, and `compiled_lattices`, whose loops are in `word_tree`; `suffix_array` finds the first
pieces of SentencePiece's rules, compiled).
`training.learn_merges` is behind `bpe.train` and `wordpiece.train`: words in flat rows (`pair_rows`), merged by Python
or, for large corpora, by the same text compiled (`compiling`; numba, the extra `fast`).

For large texts, compiled only: `words` finds the words of a text (`byte_words`, `bert_words`, `spaced_words`) and looks
each of them up in a table (`word_table`); on it stand

- `counting.ByteWords`, which counts them, and `counting.learn_byte_merges`, which learns merges from the counts;
  `counting.BertWords` counts those of BERT, which are normalized afterwards, each different one once;
- `encoding.ByteEncoder` (byte-level BPE) and `WordPieceEncoder`, and `unigram_texts.UnigramEncoder`: they encode the
  words that are new, and have `encode(text) -> list`, `encode_batch` and `encode_to_array(text) -> array`.

`encoding.Decoder(tokens)` has `decode(ids) -> bytes`, for lists and for arrays.

`cluster` counts the words of files on many machines, with Dask. `garbage` keeps Python from looking for garbage while
very many objects are made.

`compiling.choose(engine, size, worth)` says whether work of that size is for "python" or "compiled".
"""
