/* A trainer: it merges its reader's own words as `train_steps` does, or as the reader chooses. */
import TRAINER from "./trainer.html";
import TRAINED from "./trained.html";
import { GAP, bytesAsLetters, corpusBy, counted, mergeSteps, number } from "./merging.js";
import { fraction } from "./merge_player.js";
import { Bench } from "./bench.js";
import { define, make, partsOf } from "./widget.js";
const MOST = 60; // merges
const RULES = { bpe: {}, wordpiece: { prefix: "##", scored: true }, frequency: { prefix: "##", characters: true } };
class Trainer extends Bench {
  constructor(owner, settings) {
    super(owner, settings);
    this.form.insertAdjacentHTML("afterbegin", TRAINER);
    owner.insertAdjacentHTML("beforeend", TRAINED);
    Object.assign(this, partsOf(owner), { fields: {}, choices: {} });
    for (const [name, options] of Object.entries(settings.options)) {
      const field = this.fields[name] = owner.querySelector(`select[name="${name}"]`);
      field.append(...Object.entries(options).map(([value, textContent]) => make("option", { value, textContent })));
      field.value = settings[name];
      field.addEventListener("change", () => this.readAgain());
    }
    this.bars.addEventListener("click", ({ target }) => {
      const { left, right } = target.closest("li")?.pair ?? {}, { names } = this.run;
      if (names[left]) this.choose(this.k + 1, [names[left], names[right]]);
    });
    this.copy.addEventListener("click", ({ currentTarget: copy }) => navigator.clipboard?.writeText(this.code.textContent).then(() => { copy.textContent = "Copied"; }, () => {}));
    this.readAgain();
  }
  readAgain() {
    this.choices = {};
    super.readAgain();
  }
  learn(most = MOST) {
    const { choices, fields, settings } = this, scheme = fields.scheme.value, rule = RULES[fields.algorithm.value];
    const spaced = scheme === "metaspace", text = spaced ? this.text.replace(/^(?=[^ ▁])/u, " ") : this.text;
    const asLetters = spaced ? (word) => Array.from(word.replaceAll(" ", "▁")) : Array.from;
    const corpus = corpusBy(text, new RegExp(settings.patterns[scheme], "gu"), settings.bytes.includes(scheme) ? bytesAsLetters : asLetters);
    const odd = rule.prefix && corpus.words.find((word) => word.text.startsWith(rule.prefix));
    const options = { ...rule, ties: fields.ties.value, most: odd ? 0 : most, alone: MOST };
    this.apart = corpus.letters > 2 * corpus.words.reduce((sum, word) => sum + word.letters.length, 0); // each word once, with its count
    const items = this.apart ? corpus.words.flatMap((_, word) => [word, GAP]) : corpus.items;
    this.take({ ...corpus, items }, mergeSteps(corpus, { ...options, choices }));
    this.byRule = Object.keys(choices).length ? mergeSteps(corpus, options) : null;
    Object.assign(this, { ties: options.ties, scored: Boolean(rule.scored), trouble: "" });
    if (odd) this.trouble = `The word ${odd.text.slice(0, 60)} begins with ##, which marks tokens that continue a word.`;
    else if (!corpus.letters) this.trouble = "Nothing to count yet: type some words.";
    else if (!this.run.tops[0].length) this.trouble = "Every word is one symbol: no pair to merge.";
  }
  /** From this merge on another pair, or again the rule's: choices before it stay, those behind it go. */
  choose(number, pair) {
    this.pause();
    this.choices = Object.fromEntries(Object.entries(this.choices).filter(([at]) => at < number));
    if (pair) this.choices[number] = pair;
    this.learn();
    this.drawCurve();
    this.show(pair ? number : this.k, 560);
  }
  show(k, ms) {
    super.show(k, ms);
    const { run, byRule } = this, vocab = this.k ? run.steps[this.k - 1].vocab : run.base;
    const otherwise = byRule ? ` (by the rule alone, to ${number(byRule.tokens[Math.min(this.k, byRule.steps.length)])})` : "";
    this.status.textContent = this.trouble || `${counted(this.k, "merge")}: the corpus went from ${counted(run.tokens[0], "token")} to ` +
      `${number(run.tokens[this.k])}${otherwise}; the vocabulary has ${number(vocab)}.${run.tops[this.k].length ? "" : " No pair is left."}`;
    const tokens = run.names.map((_, token) => token).filter((token) => token < vocab && (token < 200 || token >= run.base));
    this.vocabulary.replaceChildren(make("b", { textContent: "Vocabulary " }), ...tokens.map((token) => this.tile(token)));
    this.merges.replaceChildren(...run.steps.slice(0, this.k).map((step, i) => this.drawMerge(step, i + 1)));
    this.code.textContent = this.sayCode();
  }
  drawText(long) {
    super.drawText(long);
    for (const { item, el } of this.words) el.dataset.times = item >= 0 && this.apart ? `${number(this.corpus.words[item].freq)} × ` : "";
    this.caption.textContent = this.scored ? "Neighbors and their scores: press one to merge it" : "Neighbors and how often they meet: press one to merge it";
  }
  drawCounts() {
    super.drawCounts();
    const { names } = this.run;
    for (const { firstChild: button, pair } of this.bars.children) {
      button.setAttribute("aria-label", `merge ${names[pair.left]} ${names[pair.right]}, ${this.scored ? fraction(pair) : counted(pair.count, "time")}`);
    }
  }
  drawMerge(step, at) {
    const times = this.scored ? fraction(step) : counted(step.count, "time");
    const row = make("li", { pair: { left: step.token } }, this.tile(step.left), this.tile(step.right), " → ", this.tile(step.token), ` ${times}`);
    if (step.ties > 1) row.append(`, a tie of ${number(step.ties)}`);
    if (!step.chosen) return row;
    const undo = make("button", { type: "button", textContent: "undo", ariaLabel: `undo merge ${at}` });
    undo.addEventListener("click", () => {
      this.choose(at);
      this.scrub.focus({ preventScroll: true }); // the button is gone
    });
    row.append(", you ", undo);
    const other = at === Number(Object.keys(this.choices)[0]) && this.byRule.steps[at - 1], { names } = this.byRule;
    if (other) row.append(` (the rule: ${names[other.left]} + ${names[other.right]} becomes ${names[other.token]})`);
    return row;
  }
  sayStart(next) {
    return this.trouble ? [this.trouble] : super.sayStart(next);
  }
  /** Python that makes the merges shown. */
  sayCode() {
    const { scheme, algorithm, ties } = this.fields, module = algorithm.value === "bpe" ? "bpe" : "wordpiece";
    const rule = ties.value === "shortest-first" ? "bpe.shortest_first" : `"${ties.value}"`;
    const corpus = this.text.length > 1000 ? 'open("corpus.txt", encoding="utf-8").read()      # your text, saved under this name' : JSON.stringify(this.text);
    const choices = Object.entries(this.choices).map(([at, pair]) => `${at}: (${pair.map((name) => JSON.stringify(name)).join(", ")})`).join(", ");
    const more = (algorithm.value === "frequency" ? ', score="frequency"' : "") + (choices && `, choices={${choices}}`);
    return `from subword_lab import bpe, text, wordpiece\n\ncorpus = ${corpus}\nword_freqs = text.word_freqs([corpus], "${scheme.value}")\n` +
      `steps = list(${module}.train_steps(word_freqs, num_merges=${this.k}, ties=${rule}${more}))\n[step.pair for step in steps]`;
  }
}
define("subword-trainer", (owner, settings) => new Trainer(owner, settings));
