/* Byte-pair encoding as `subword_lab.bpe.train_steps`. A symbol is a number, `names[symbol]` its text; a split is an array of symbols. */
/** Words, and runs of signs, each with the marks and joiners that belong to it. */
const WORDS = /[\p{L}\p{N}\p{M}_\u200c\u200d]+|([^\p{L}\p{N}\p{M}_\p{White_Space}][\p{M}\u200c\u200d]*)+/gu;
const ASCII = /^[\n\x20-\x7e]*$/;
export const SYMBOLS = 2 ** 20; // a pair of symbols is one number: left * SYMBOLS + right
const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });
/** What `corpusOf` puts between words. */
export const GAP = -1, BREAK = -2;
/** What a reader sees as one letter: an emoji with its joiners and a base with its marks stay whole. */
export const graphemes = (text) => (ASCII.test(text) ? text.split("") : Array.from(segmenter.segment(text), (part) => part.segment));
/** A text cut by a pattern: its words in order of appearance, each `{text, letters, freq}`, and where they stand, or GAP or BREAK.
 * spell: what a word becomes: its code points, as in Python, or its bytes. */
export function corpusBy(text, pattern, spell = Array.from) {
  const words = new Map(), items = [];
  let end = 0, letters = 0;
  for (const { 0: found, index } of text.matchAll(pattern)) {
    for (const space of text.slice(end, index)) items.push(space === "\n" ? BREAK : GAP);
    const spelled = spell(found), name = spelled.join("");
    if (!words.has(name)) words.set(name, { text: name, letters: spelled, freq: 0, item: words.size });
    const word = words.get(name);
    word.freq += 1;
    items.push(word.item);
    letters += spelled.length;
    end = index + found.length;
  }
  return { words: Array.from(words.values()), items, letters };
}
/** A text cut at space and around signs, into letters as a reader sees them. */
export const corpusOf = (text) => corpusBy(text, WORDS, graphemes);
export const letterOf = (byte) => String.fromCharCode(byte < 0x21 ? 0x100 + byte : byte > 0x7e && byte < 0xa1 ? 0xa2 + byte : byte === 0xad ? 0x143 : byte);
const byteOf = new Map(Array.from({ length: 256 }, (_, byte) => [letterOf(byte), byte]));
/** The bytes of a word as GPT-2 writes them: what Latin-1 prints as itself, the other 68 from U+0100 on. */
export const bytesAsLetters = (word) => Array.from(new TextEncoder().encode(word), letterOf);
/** What such letters stand for: their text, with spaces that can be seen, or the bytes of what is no whole character. */
export function lettersAsText(letters) {
  const bytes = Uint8Array.from(letters, (letter) => byteOf.get(letter));
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes).replaceAll(" ", "␣");
  } catch {
    return Array.from(bytes, (byte) => byte.toString(16).toUpperCase().padStart(2, "0")).join("\u00a0"); // no space of the text
  }
}
/** Strings by their code points, as Python compares them. */
export function byPoints(one, other) {
  const a = Array.from(one), b = Array.from(other), i = a.findIndex((letter, at) => letter !== b[at]);
  if (i < 0 || i >= b.length) return a.length - b.length;
  return a[i].codePointAt(0) - b[i].codePointAt(0);
}
export const pairsOf = (split) => split.slice(1).map((right, i) => split[i] * SYMBOLS + right);
/** How often each number occurs in lists of the words; a Map keeps the order in which they were first seen. */
export function countsOf(lists, words) {
  const counts = new Map();
  lists.forEach((list, word) => {
    for (const one of list) counts.set(one, (counts.get(one) || 0) + words[word].freq);
  });
  return counts;
}
const size = (names, { left, right }) => Array.from(names[left] + names[right]).length;
const TIES = { // of two equal pairs, which one comes first: below 0 the one, above 0 the other
  "lowest-ids": (names, one, other) => one.left - other.left || one.right - other.right,
  greatest: (names, one, other) => byPoints(names[other.left], names[one.left]) || byPoints(names[other.right], names[one.right]),
  "shortest-first": (names, one, other) =>
    size(names, one) - size(names, other) || byPoints(names[one.left] + names[one.right], names[other.left] + names[other.right]),
};
/** Pairs in the order of their worth. The first is the one that the rule for ties takes; other equals stay as they were first seen. */
function rankedPairs(pairs, names, rule) {
  pairs.sort((one, other) => other.worth - one.worth);
  if (!rule || !pairs.length) return pairs;
  const equal = pairs.filter(({ worth }) => worth === pairs[0].worth);
  const best = equal.reduce((one, other) => (rule(names, one, other) <= 0 ? one : other));
  return [best, ...pairs.filter((pair) => pair !== best)];
}
/** Join left and right wherever they are neighbors, from left to right: of a a a the first two. */
export function mergeSymbols(split, left, right, token) {
  const merged = [];
  for (const symbol of split) {
    if (symbol === right && merged.at(-1) === left) merged[merged.length - 1] = token;
    else merged.push(symbol);
  }
  return merged;
}
/** All merges of a corpus and every state between them.
 * learned: the merges of another training: `learned.get("left right")` is their `{rank, count}`, and they are replayed;
 * null learns from the corpus itself. Training stops after `most` merges, or after `alone` merges of pairs that occur only once.
 * prefix: what WordPiece puts before letters that continue a word. scored: by count / (n(left) * n(right)) in place of the
 * count. characters: whether every letter is also a token without prefix. ties: "first-seen" or a key of TIES. choices:
 * number of a merge, from 1 -> the texts of the pair that is merged then, whatever the rule says. symbols: names for what is merged,
 * as the compressor gives them; it takes no pair that occurs once, and of equal pairs one of letters alone.
 * names, sizes: the text of each symbol, its token's id, and how many letters it holds. base: the number of tokens before
 * any merge. steps: `{left, right, token, count, weight, kinds, ties, vocab, chosen}` of each merge, of which kinds is the number
 * of pairs that it was chosen from, vocab that of tokens after it, and `rank` where it was learned elsewhere. tops: before each merge, the best pairs, the rule's first.
 * tokens: how many tokens the corpus has after k merges. history: for each word, `[k, split]` whenever its split changed.
 * useful: the number of merges up to the last one of a pair that occurs twice. */
export function mergeSteps({ words, letters }, options = {}) {
  const { learned = null, most = 400, alone = 60, prefix = "", scored = false, characters = false, ties, choices = {}, symbols } = options;
  const names = [], sizes = [], ids = new Map(), learnedAs = new Map();
  const symbolOf = (name, size) => {
    if (!ids.has(name)) {
      ids.set(name, names.push(name) - 1);
      sizes.push(size);
    }
    return ids.get(name);
  };
  const addAll = (symbols) => Array.from(new Set(symbols)).sort(byPoints).forEach((name) => symbolOf(name, 1));
  const spelled = words.map((word) => word.letters.map((letter, i) => (i ? prefix + letter : letter)));
  if (characters) addAll(words.flatMap((word) => word.letters));
  addAll(spelled.flat());
  const splits = spelled.map((split) => split.map((name) => symbolOf(name, 1)));
  const history = splits.map((split) => [[0, split]]);
  const tokens = [letters], tops = [], steps = [], base = names.length, isMade = ({ left, right }) => left >= base || right >= base;
  const rule = symbols ? (_, one, other) => isMade(one) - isMade(other) : TIES[ties];
  let useful = 0;
  for (;;) {
    const counts = scored && countsOf(splits, words), pairs = [];
    for (const [pair, count] of countsOf(splits.map(pairsOf), words)) {
      const left = Math.floor(pair / SYMBOLS), right = pair % SYMBOLS, weight = scored ? counts.get(left) * counts.get(right) : 1;
      if (learned && !learnedAs.has(pair)) learnedAs.set(pair, learned.get(`${names[left]} ${names[right]}`));
      const known = learnedAs.get(pair);
      // Below 200,000 letters, different fractions are different numbers.
      if (!learned) pairs.push({ left, right, count, weight, worth: count / weight });
      else if (known) pairs.push({ left, right, weight, worth: -known.rank, ...known });
    }
    const ranked = rankedPairs(pairs, names, rule);
    tops.push(ranked.slice(0, 8));
    const done = steps.length >= most || (!learned && steps.length - useful >= alone) || (symbols && ranked[0]?.count === 1);
    if (!ranked.length || done) break;
    const [first, second] = choices[steps.length + 1] || [];
    const chosen = ranked.find(({ left, right }) => names[left] === first && names[right] === second);
    const { left, right, count, weight, rank, worth } = chosen || ranked[0];
    const token = symbolOf(symbols?.next().value ?? names[left] + names[right].slice(prefix.length), sizes[left] + sizes[right]);
    const equal = chosen ? 1 : ranked.filter((pair) => pair.worth === worth).length;
    steps.push({ left, right, token, count, weight, rank, kinds: pairs.length, ties: equal, vocab: names.length, chosen: Boolean(chosen) });
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
  return { names, sizes, base, steps, tops, tokens, history, useful };
}
/** A word's split after k merges, from its history. */
export const splitAt = (history, k) => history.findLast(([from]) => from <= k)[1];
/** "left right count" a line, the first merge first, as a Map for `mergeSteps`. */
export function readMerges(text) {
  return new Map(text.trim().split("\n").map((line, rank) => {
    const [left, right, count] = line.split(" ");
    return [`${left} ${right}`, { rank, count: Number(count) }];
  }));
}
const INVISIBLE = /^[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u034f\u115f\u1160\u17b4\u17b5\u3164\ufe00-\ufe0f]+$/u;
const RIGHT_TO_LEFT = /^[^\p{L}]*[\p{Script=Arab}\p{Script=Hebr}\p{Script=Syrc}\p{Script=Thaa}\p{Script=Nkoo}\p{Script=Adlm}]/u;
export const isOdd = (name) => INVISIBLE.test(name);
export const isMirrored = (text) => RIGHT_TO_LEFT.test(text);
export const codePoint = (point) => `U+${point.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
/** A letter as it can be seen: its code points where it draws nothing. */
const label = (letter) => (isOdd(letter) ? Array.from(letter, codePoint).join(" ") : letter.replace(/^\p{M}/u, "◌$&"));
export const printable = (name) => graphemes(name).map(label).join("");
export const number = (n) => n.toLocaleString("en");
export const counted = (n, one, several = `${one}s`) => `${number(n)} ${n === 1 ? one : several}`;
