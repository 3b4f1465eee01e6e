/* Encoding in the page: the tokens of `subword_lab.studies.encoders`. A word comes as its letters. */
import { bestWays, roadsOf } from "./lattice.js";
import { bytesAsLetters, lettersAsText, mergeSteps, readMerges } from "./merging.js";
/** A word's letters as tokens, by kind of model. What is in no vocabulary is unknown. */
const CUTS = {
  words: (letters) => [letters.join("")],
  bytes: (letters) => letters,
  /** Of the pairs that stand there, the one that was learned first, again and again. */
  bpe(letters, { learned }) {
    const { names, history } = mergeSteps({ words: [{ letters, freq: 1 }], letters: letters.length }, { learned, most: Infinity });
    return history[0].at(-1)[1].map((symbol) => names[symbol]);
  },
  /** The longest tokens anywhere; of equal ones that of the lowest id, and then the leftmost. */
  longest(letters, { vocab, reach }) {
    const found = roadsOf(letters, { losses: vocab, reach }), size = ({ start, end }) => end - start; // a token's loss is its id here
    found.sort((one, other) => size(other) - size(one) || one.loss - other.loss);
    const taken = letters.map(() => ({ token: "" }));
    const isFree = ({ start, end }) => taken.slice(start, end).every(({ token }) => !token);
    for (const road of found) if (isFree(road)) taken.fill(road, road.start, road.end);
    const goesOn = (span, i) => span === taken[i - 1] || (!span.token && taken[i - 1]?.token === ""); // or an unknown run does
    return taken.filter((span, i) => !goesOn(span, i)).map(({ token }) => token);
  },
  /** The longest beginning, again and again; a word where there is none is unknown. */
  wordpiece(letters, { vocab, reach, prefix }) {
    const tokens = [];
    for (let from = 0, to; from < letters.length; from = to) {
      const piece = () => (from ? prefix : "") + letters.slice(from, to).join("");
      const isToken = () => vocab.has(piece()) && (from || !prefix || !piece().startsWith(prefix)); // what continues a word begins none
      for (to = Math.min(letters.length, from + reach); to > from && !isToken();) to -= 1;
      if (to === from || letters.length > 100) return [""];
      tokens.push(piece());
    }
    return tokens;
  },
  /** The cheapest way. */
  unigram: (letters, model) => bestWays(roadsOf(letters, model), letters.length)[0].roads.map(({ token }) => token),
};
/** A function of a text, by what `views.tokenizers.recipe` says of an encoder: its tokens, as they are read. */
export function encoderOf({ kind, pattern, bytes, tokens, merges, end, ...more }) {
  const learned = merges && readMerges(merges), cuts = new Map();
  const names = tokens && [...tokens.split("\n"), ...(learned?.keys() ?? [])].map((name) => name.replace(" ", ""));
  const vocab = names && new Map(names.map((name, id) => [name, id]));
  const losses = more.losses && new Map(names.map((name, id) => [name, more.losses[id]]));
  const model = { ...more, losses, learned, vocab, reach: Math.max(0, ...(names ?? []).map((name) => name.length)) };
  const cut = (word) => CUTS[kind]([...(bytes ? bytesAsLetters(word) : word), ...(end ? [end] : [])], model)
    .map((token) => (vocab?.has(token) === false ? "[UNK]" : bytes ? lettersAsText([...token]) : token));
  return (text) => Array.from(text.matchAll(new RegExp(pattern, "gu")), ([word]) => {
    if (!cuts.has(word)) cuts.set(word, cut(word));
    return cuts.get(word);
  }).flat();
}
