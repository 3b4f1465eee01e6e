/* How much work a merge is: the looks of four trainers at the pairs of their reader's own text. */
import { Bench } from "./bench.js";
import { corpusBy, counted, countsOf, mergeSteps, number, pairsOf, splitAt } from "./merging.js";
import { countTo } from "./motion.js";
import { define, make } from "./widget.js";
/** The looks of four trainers after each number of merges, added up: `subword_lab.studies.speed.looks`. */
export function looksOf({ words }, { steps, tokens, history }) {
  const splitsAfter = (k) => history.map((changes) => splitAt(changes, k));
  const occurrences = words.reduce((sum, { freq }) => sum + freq, 0);
  const first = splitsAfter(0).flatMap(pairsOf).length;
  const sums = [[0, 0, first, first + (steps[0]?.kinds ?? 0)]];
  steps.forEach(({ kinds }, k) => {
    const before = splitsAfter(k), after = splitsAfter(k + 1);
    const merged = Array.from(words.keys()).filter((word) => before[word] !== after[word]);
    const pairs = merged.flatMap((word) => [pairsOf(before[word]), pairsOf(after[word])]);
    const times = merged.flatMap((word) => [{ freq: -words[word].freq }, words[word]]);
    const changes = Array.from(countsOf(pairs, times).values()).filter(Boolean);
    const costs = [
      tokens[k] - occurrences + kinds,
      before.flat().length - words.length + kinds,
      pairs.flat().length + kinds,
      pairs.flat().length + changes.length,
    ];
    sums.push(costs.map((cost, i) => sums[k][i] + cost));
  });
  return sums;
}
class Work extends Bench {
  constructor(owner, settings) {
    super(owner, settings);
    this.rows = settings.trainers.map((name) => make("p", {}, make("span", {}, name), make("i"), make("b")));
    const looks = make("div", { className: "sl-looks" }, this.status, ...this.rows);
    this.total.parentElement.before(looks);
    this.readAgain();
  }
  learn(most = this.settings.most) {
    const corpus = corpusBy(this.text, new RegExp(this.settings.pattern, "gu"));
    this.take(corpus, mergeSteps(corpus, { most, alone: Infinity }));
    this.sums = looksOf(corpus, this.run);
  }
  show(k, ms) {
    super.show(k, ms);
    const looks = this.sums[this.k], most = Math.max(1, ...this.sums.at(-1));
    this.rows.forEach(({ children: [, bar, count] }, i) => {
      bar.style.transform = `scaleX(${looks[i] / most})`;
      countTo(count, looks[i], 420);
    });
    this.status.textContent = `${number(looks[0])} looks at a pair, or ${number(looks[3])}, ` +
      `for the same ${counted(this.k, "merge")}.${this.left}`;
  }
}
define("subword-work", (owner, settings) => new Work(owner, settings));
