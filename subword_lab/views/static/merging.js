/* Byte-pair encoding in the page: the same steps as `subword_lab.bpe.train_steps`, on whatever somebody types.
   Pure functions. A symbol is a number, `names[symbol]` is its text; a split is an array of symbols. */

const SPACE = /^(?!\ufeff)\s+$/u; // what trims in JavaScript but joins in Unicode is no space
const WORD_CHARACTER = /[\p{L}\p{N}\p{M}_]/u;
const ASCII = /^[\n\x20-\x7e]*$/;
const SYMBOLS = 2 ** 20; // a pair of symbols is one number: left * SYMBOLS + right
const segmenter = Intl.Segmenter ? new Intl.Segmenter("en", { granularity: "grapheme" }) : null;

/** What `corpusOf` puts between words. */
export const GAP = -1, BREAK = -2;

/** What a reader sees as one letter: an emoji with its joiners and a base with its marks stay whole. */
export function graphemes(text) {
  if (ASCII.test(text)) return text.split("");
  return segmenter ? Array.from(segmenter.segment(text), (part) => part.segment) : Array.from(text);
}

/** The words of a text in order of appearance, each `{text, letters, freq}`, and the text as numbers of words, GAP and BREAK. */
export function corpusOf(text) {
  const words = [], index = new Map(), items = [];
  let letters = [], kind = "";
  const close = () => {
    if (!letters.length) return;
    const key = letters.join("");
    if (!index.has(key)) index.set(key, words.push({ text: key, letters, freq: 0 }) - 1);
    words[index.get(key)].freq += 1;
    items.push(index.get(key));
    letters = [];
  };
  for (const letter of graphemes(text)) {
    const next = SPACE.test(letter) ? "space" : WORD_CHARACTER.test(letter) ? "word" : "sign";
    if (next !== kind) close();
    kind = next;
    if (kind !== "space") letters.push(letter);
    else items.push(letter.includes("\n") ? BREAK : GAP);
  }
  close();
  return { words, items, letters: words.reduce((sum, word) => sum + word.freq * word.letters.length, 0) };
}

/** How often two symbols are neighbors inside a word; a Map keeps the order in which pairs were first seen. */
export function pairCounts(splits, words) {
  const counts = new Map();
  splits.forEach((split, word) => {
    for (let i = 1; i < split.length; i++) {
      const pair = split[i - 1] * SYMBOLS + split[i];
      counts.set(pair, (counts.get(pair) || 0) + words[word].freq);
    }
  });
  return counts;
}

/** Pairs `{left, right, count}`, the best first: by count or, where `learned` ranks them, by rank. Of equals, the first seen. */
export function rankedPairs(counts, names, learned) {
  const pairs = Array.from(counts, ([pair, count]) => ({ left: Math.floor(pair / SYMBOLS), right: pair % SYMBOLS, count }));
  if (!learned) return pairs.sort((one, other) => other.count - one.count);
  return pairs
    .map((pair) => ({ ...pair, ...learned.get(`${names[pair.left]} ${names[pair.right]}`) }))
    .filter((pair) => pair.rank !== undefined)
    .sort((one, other) => one.rank - other.rank);
}

/** Join left and right wherever they are neighbors, from left to right: of a a a the first two. */
export function mergeSymbols(split, left, right, token) {
  const merged = [];
  for (let i = 0; i < split.length; i++) {
    const joined = split[i] === left && split[i + 1] === right;
    merged.push(joined ? token : split[i]);
    if (joined) i += 1;
  }
  return merged;
}

/** All merges of a corpus and every state between them.
 *
 * learned: the merges of another training, from "left right" to `{rank, count}`, which are then replayed; null learns
 * from the corpus itself. Training stops after `most` merges, or after `alone` merges of pairs that occur only once.
 *
 * names, sizes: the text of each symbol, and how many letters it holds. steps: `{left, right, token, count, ties}` of
 * each merge, and `rank` where it was learned elsewhere. tops: before each merge, the best pairs. tokens: how many tokens
 * there are after k merges. history: for each word, `[k, split]` whenever its split changed. useful: the number of
 * merges up to the last one of a pair that occurs twice. */
export function mergeSteps({ words, letters }, { learned = null, most = 400, alone = 60 } = {}) {
  const names = [], sizes = [], ids = new Map();
  const symbolOf = (name, size) => {
    if (!ids.has(name)) {
      ids.set(name, names.push(name) - 1);
      sizes.push(size);
    }
    return ids.get(name);
  };
  const splits = words.map((word) => word.letters.map((letter) => symbolOf(letter, 1)));
  const history = splits.map((split) => [[0, split]]);
  const tokens = [letters], tops = [], steps = [];
  let useful = 0;
  for (;;) {
    const ranked = rankedPairs(pairCounts(splits, words), names, learned);
    tops.push(ranked.slice(0, 7));
    const done = steps.length >= most || (!learned && steps.length - useful >= alone);
    if (!ranked.length || done) break;
    const { left, right, count, rank } = ranked[0];
    const token = symbolOf(names[left] + names[right], sizes[left] + sizes[right]);
    const lower = ranked.findIndex((pair) => pair.count < count);
    steps.push({ left, right, token, count, rank, ties: learned ? 1 : lower < 0 ? ranked.length : lower });
    let after = tokens[tokens.length - 1];
    splits.forEach((split, word) => {
      const merged = mergeSymbols(split, left, right, token);
      if (merged.length === split.length) return;
      after -= (split.length - merged.length) * words[word].freq;
      splits[word] = merged;
      history[word].push([steps.length, merged]);
    });
    tokens.push(after);
    if (learned || count > 1) useful = steps.length;
  }
  return { names, sizes, steps, tops, tokens, history, useful };
}

/** A word's split after k merges, from its history. */
export function splitAt(history, k) {
  let i = history.length - 1;
  while (history[i][0] > k) i -= 1;
  return history[i][1];
}

/** "left right count" a line, the first merge first, as a Map for `mergeSteps`. */
export function readMerges(text) {
  return new Map(text.trim().split("\n").map((line, rank) => {
    const [left, right, count] = line.split(" ");
    return [`${left} ${right}`, { rank, count: Number(count) }];
  }));
}
