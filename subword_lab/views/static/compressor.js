/* The compressor of 1994 for a text of one's own, as `compression.compress`: the text, and the table that has to be sent with it. */
import { Bench } from "./bench.js";
import { corpusBy, counted, mergeSteps, number } from "./merging.js";
import { define, make } from "./widget.js";
const RULE = 3; // symbols that a rule takes in the table
const SEEN = { " ": "␣", "\n": "↵", "\t": "⇥" };
/** The symbols that a text does not use, in the order in which rules take them. */
export function* unusedSymbols(letters) {
  const used = new Set(letters), codes = (from, to) => Array.from({ length: to - from }, (_, i) => from + i);
  const order = [codes(0x41, 0x5b).reverse(), codes(0x61, 0x7b).reverse(), codes(0x2460, 0x2500), codes(0xe000, 0xf8ff)].flat();
  for (const symbol of order.map((code) => String.fromCodePoint(code))) if (!used.has(symbol)) yield symbol;
}
class Compressor extends Bench {
  constructor(owner, settings) {
    super(owner, settings);
    this.sizes = make("div", { className: "sl-sizes", role: "img" }, make("i"), make("i"));
    this.total.parentElement.after(this.sizes);
    this.heart.firstChild.textContent = "costs more than it saves";
    this.readAgain();
  }
  learn(most = Infinity) {
    const corpus = corpusBy(this.text, /[^]+/gu); // one word
    this.take(corpus, mergeSteps(corpus, { most, alone: Infinity, symbols: unusedSymbols(this.text) }));
    const { run } = this, sent = run.tokens.map((length, rules) => length + RULE * rules);
    run.names = run.names.map((name) => SEEN[name] ?? name);
    run.useful = sent.indexOf(Math.min(...sent));
    this.byRule = { tokens: sent };
  }
  show(k, ms) {
    super.show(k, ms);
    const { run, byRule } = this, before = run.tokens[0];
    this.status.textContent = `${counted(before, "symbol")} became ${number(run.tokens[this.k])} with ${counted(this.k, "rule")}; ` +
      `with the table it is ${number(byRule.tokens[this.k])}. The least to send is ${number(byRule.tokens[run.useful])}, with ${counted(run.useful, "rule")}.${this.left}`;
    this.merges.replaceChildren(...run.steps.slice(0, this.k).map(({ left, right, token }) =>
      make("li", { pair: { left: token } }, this.tile(token), " stands for ", this.tile(left), this.tile(right))));
  }
  drawCounts() {
    super.drawCounts();
    const { run, k, byRule, sizes } = this, most = Math.max(...byRule.tokens);
    this.from.textContent = `symbols from ${number(run.tokens[0])}, after ${counted(k, "rule")} of ${number(run.steps.length)}`;
    [run.tokens[k], RULE * k].forEach((size, i) => { sizes.children[i].style.width = `${(100 * size) / most}%`; });
    sizes.ariaLabel = `to send: ${counted(run.tokens[k], "symbol")} and a table of ${number(RULE * k)}`;
  }
  sayStart(next) {
    if (!next) return this.corpus.letters ? ["No pair repeats: there is nothing to shorten."] : super.sayStart();
    return ["Slide a window of two along the text. ", this.tile(next.left), this.tile(next.right), ...this.sayCount(next, " is there "), ", more than any other pair, or first."];
  }
  sayStep({ left, right, token, count }) {
    const { run, k } = this, gone = run.tokens[k - 1] - run.tokens[k], strong = make("strong", { textContent: `${number(run.tokens[k - 1])} → ${counted(run.tokens[k], "symbol")}` });
    const overlap = gone < count ? `, ${number(gone)} of which can be replaced` : "", end = k === run.steps.length ? " No pair repeats any more." : "";
    return [this.tile(left), this.tile(right), " became ", this.tile(token), `: counted ${counted(count, "time")}${overlap}. `, strong, ` and ${RULE} more for the table.${end}`];
  }
}
define("subword-compressor", (owner, settings) => new Compressor(owner, settings));
