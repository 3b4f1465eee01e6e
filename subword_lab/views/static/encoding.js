/* Encoding in the page: the tokens of `subword_lab.studies.encoders`. A word comes as its letters. */
import { bytesAsLetters, lettersAsText, mergeSteps, readMerges } from "./merging.js";
/** Single letters of a word, and where else a token of the vocabulary stands in it. */
function* spans(letters, { vocab, reach }) {
  for (let from = 0; from < letters.length; from++) {
    for (let to = from + 1; to <= Math.min(letters.length, from + reach); to++) {
      const token = letters.slice(from, to).join("");
      if (to === from + 1 || vocab.has(token)) yield { from, to, token, size: to - from };
    }
  }
}
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
    const found = [...spans(letters, { vocab, reach })].filter(({ token }) => vocab.has(token));
    found.sort((one, other) => other.size - one.size || vocab.get(one.token) - vocab.get(other.token));
    const taken = letters.map(() => ({ token: "" }));
    const isFree = ({ from, to }) => taken.slice(from, to).every(({ token }) => !token);
    for (const span of found) if (isFree(span)) taken.fill(span, span.from, span.to);
    const goesOn = (span, i) => span === taken[i - 1] || (!span.token && taken[i - 1]?.token === ""); // or an unknown run does
    return taken.filter((span, i) => !goesOn(span, i)).map(({ token }) => token);
  },
  /** The longest beginning, again and again; a word where there is none is unknown. */
  wordpiece(letters, { vocab, reach }) {
    const tokens = [];
    for (let from = 0, to; from < letters.length; from = to) {
      const piece = () => (from ? "##" : "") + letters.slice(from, to).join("");
      for (to = Math.min(letters.length, from + reach); to > from && !vocab.has(piece());) to -= 1;
      if (to === from || letters.length > 100) return [""];
      tokens.push(piece());
    }
    return tokens;
  },
  /** The cheapest way to each place, and from the end back along it. */
  unigram(letters, { vocab, reach, losses, unknown }) {
    const best = [{ loss: 0 }], tokens = [];
    for (const { from, to, token } of spans(letters, { vocab, reach })) {
      const loss = best[from].loss + (losses[vocab.get(token)] ?? unknown);
      if (!(best[to]?.loss <= loss)) best[to] = { loss, from, token };
    }
    for (let at = letters.length; at; at = best[at].from) tokens.unshift(best[at].token);
    return tokens;
  },
};
/** A function of a text, by what `views.tokenizers.recipe` says of an encoder: its tokens, as they are read. */
export function encoderOf({ kind, pattern, bytes, tokens, merges, end, ...more }) {
  const learned = merges && readMerges(merges), cuts = new Map();
  const names = tokens && [...tokens.split("\n"), ...(learned?.keys() ?? [])].map((name) => name.replace(" ", ""));
  const vocab = names && new Map(names.map((name, id) => [name, id]));
  const model = { ...more, learned, vocab, reach: Math.max(0, ...(names ?? []).map((name) => name.length)) };
  const cut = (word) => CUTS[kind]([...(bytes ? bytesAsLetters(word) : word), ...(end ? [end] : [])], model)
    .map((token) => (vocab?.has(token) === false ? "[UNK]" : bytes ? lettersAsText([...token]) : token));
  return (text) => Array.from(text.matchAll(new RegExp(pattern, "gu")), ([word]) => {
    if (!cuts.has(word)) cuts.set(word, cut(word));
    return cuts.get(word);
  }).flat();
}
