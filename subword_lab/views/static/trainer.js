/* A trainer to play with: `<subword-trainer data-settings="...">` learns merges from its reader's own words, as Python's
   `train_steps` does, with another pair than the rule's wherever the reader says so. It asks nobody, and needs no kernel. */

import { bytesAsLetters, corpusBy, mergeSteps } from "./merging.js";
import { MergePlayer, counted, element, fraction, number } from "./merge_player.js";

const MOST = 60; // merges
const DRAWN = 3000; // letters of a text; what is longer is counted whole
const RULES = { bpe: {}, wordpiece: { prefix: "##", scored: true }, frequency: { prefix: "##", characters: true } };
const labeled = (words, field) => element("label", {}, element("span", { textContent: words }), field);

/** One of several options, a value with its label each. */
function select(options, value) {
  const field = element("select", {}, ...Object.entries(options).map(([value, textContent]) => element("option", { value, textContent })));
  field.value = value;
  return field;
}

/** A string as Python writes it, over several lines where it is long. */
function quoted(text) {
  const lines = text.length > 70 ? text.match(/[^]{1,70}(?=\s|$)\s?|[^]{1,70}/gu) : [text];
  const all = lines.map((line) => JSON.stringify(line)).join("\n          ");
  return lines.length > 1 ? `(${all})` : all;
}

class Trainer extends MergePlayer {
  constructor(owner, settings) {
    const root = element("div", { className: "sl-player" });
    super(root, { owner, changed: () => this.show(this.aim) });
    const { options } = settings;
    const area = element("textarea", { rows: 2, value: settings.corpus, dir: "auto", spellcheck: false, autocomplete: "off", autocapitalize: "off" });
    const file = element("input", { type: "file", accept: "text/*,.txt,.md,.csv,.py" });
    const fields = { scheme: select(options.scheme, settings.scheme), algorithm: select(options.algorithm, settings.algorithm), ties: select(options.ties, settings.ties) };
    Object.assign(this, { settings, fields, area, wanted: false, aim: settings.merges, choices: {} });
    this.status = element("p", { className: "sl-status" });
    this.vocabulary = element("p", { className: "sl-vocabulary" });
    this.merges = element("ol", { className: "sl-merges" });
    this.code = element("pre", { tabIndex: 0 });
    const copy = element("button", { type: "button", textContent: "Copy" });
    owner.append(
      element("div", { className: "sl-title", role: "heading", ariaLevel: 3, textContent: settings.title }),
      labeled("Corpus: type or paste a text", area),
      element("div", { className: "sl-form" }, labeled("or take a file", file), labeled("Words are cut by", fields.scheme),
        labeled("Merge the pair with the", fields.algorithm), labeled("Among equals take", fields.ties)),
      root, this.status, this.merges, this.vocabulary,
      element("details", {}, element("summary", { textContent: "A cell that makes this" }), this.code, copy),
    );
    area.addEventListener("input", () => this.readAgain());
    area.addEventListener("contextmenu", (event) => event.stopPropagation());
    for (const field of Object.values(fields)) field.addEventListener("change", () => this.readAgain());
    file.addEventListener("change", async () => {
      area.value = file.files.length ? await file.files[0].slice(0, 4 * settings.longest).text() : area.value;
      this.readAgain();
    });
    this.bars.addEventListener("click", ({ target }) => this.choose(target.closest("li")?.pair));
    copy.addEventListener("click", () => navigator.clipboard?.writeText(this.code.textContent).then(() => { copy.textContent = "Copied"; }, () => {}));
    this.readAgain();
  }

  readAgain() {
    this.choices = {};
    this.read(this.area.value.slice(0, this.settings.longest).toWellFormed());
  }

  learn(most = MOST) {
    const { text, choices, fields, settings } = this, scheme = fields.scheme.value, rule = RULES[fields.algorithm.value];
    const marked = scheme === "metaspace"; // every word begins with its space, also the first
    const letters = marked ? (word) => Array.from(word.replaceAll(" ", "▁")) : settings.bytes.includes(scheme) ? bytesAsLetters : Array.from;
    const corpus = corpusBy(marked ? text.replace(/^(?=[^ ▁])/u, " ") : text, new RegExp(settings.patterns[scheme], "gu"), letters);
    const odd = rule.prefix && corpus.words.find((word) => word.text.startsWith(rule.prefix));
    const options = { ...rule, ties: fields.ties.value, most: odd ? 0 : most, alone: MOST };
    let drawn = 0;
    const end = corpus.items.findIndex((item) => item >= 0 && (drawn += corpus.words[item].letters.length) > DRAWN);
    this.cut = end >= 0;
    this.take({ ...corpus, items: corpus.items.slice(0, this.cut ? end : undefined) }, mergeSteps(corpus, { ...options, choices }));
    this.byRule = Object.keys(choices).length ? mergeSteps(corpus, options) : null;
    Object.assign(this, { ties: options.ties, scored: Boolean(rule.scored), trouble: "" });
    if (odd) this.trouble = `The word ${odd.text.slice(0, 60)} begins with ##, which marks tokens that continue a word.`;
    else if (!corpus.letters) this.trouble = "Nothing to count yet: type some words, or choose a file.";
    else if (!this.run.tops[0].length) this.trouble = "Every word is one symbol: no pair to merge.";
  }

  /** Merge this pair next, whatever the rule says. */
  choose(pair) {
    if (pair) this.chooseAt(this.k + 1, [this.run.names[pair.left], this.run.names[pair.right]]);
  }

  /** The choices before this merge stay; it gets another one, or none. */
  chooseAt(number, pair) {
    this.pause();
    this.choices = Object.fromEntries(Object.entries(this.choices).filter(([at]) => at < number));
    if (pair) this.choices[number] = pair;
    this.learn();
    this.drawCurve();
    this.show(pair ? number : this.k, 560);
  }

  // ------------------------------------------------------------------------------------------------------------ drawing

  show(k, ms) {
    super.show(k, ms);
    if (ms !== undefined || k <= this.k) this.aim = this.k; // a shorter text has fewer merges; a longer one gets them back
    const { run } = this, { vocab } = this.k ? run.steps[this.k - 1] : { vocab: run.base };
    const otherwise = this.byRule ? ` (by the rule alone, to ${number(this.byRule.tokens[Math.min(this.k, this.byRule.steps.length)])})` : "";
    const drawn = this.cut ? " Only the beginning of the text is drawn." : "";
    this.status.textContent = this.trouble || `${counted(this.k, "merge")}: the corpus went from ${counted(run.tokens[0], "token")} to ` +
      `${number(run.tokens[this.k])}${otherwise}; the vocabulary has ${number(vocab)}.${run.tops[this.k].length ? "" : " No pair is left."}${drawn}`;
    const tokens = run.names.slice(0, vocab).map((_, token) => token).filter((token) => token < 200 || token >= run.base);
    this.vocabulary.replaceChildren(element("b", { textContent: "Vocabulary " }), ...tokens.map((token) => this.tile(token)));
    this.merges.replaceChildren(...run.steps.slice(0, this.k).map((step, i) => this.drawMerge(step, i + 1)));
    this.code.textContent = this.sayCode();
  }

  drawCurve() {
    super.drawCurve(this.byRule);
  }

  drawCounts() {
    const rows = super.drawCounts();
    for (const [{ firstChild: button, pair }] of rows) {
      button.setAttribute("aria-label", `merge ${this.run.names[pair.left]} ${this.run.names[pair.right]}, ${this.scored ? fraction(pair) : counted(pair.count, "time")}`);
    }
    return rows;
  }

  drawMerge(step, at) {
    const row = element("li", {}, this.tile(step.left), this.tile(step.right), " → ", this.tile(step.token), ` ${this.scored ? fraction(step) : counted(step.count, "time")}`);
    if (step.ties > 1) row.append(`, a tie of ${number(step.ties)}`);
    if (!step.chosen) return row;
    const undo = element("button", { type: "button", textContent: "undo", ariaLabel: `undo merge ${at}` });
    undo.addEventListener("click", () => {
      this.chooseAt(at);
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
    const { algorithm, scheme, ties } = Object.fromEntries(Object.entries(this.fields).map(([name, field]) => [name, field.value]));
    const module = algorithm === "bpe" ? "bpe" : "wordpiece", shortest = ties === "shortest-first";
    const modules = Array.from(new Set([...(shortest ? ["bpe"] : []), "text", module])).sort().join(", ");
    const corpus = this.text.length > 1000 ? 'open("corpus.txt", encoding="utf-8").read()      # your text, saved under this name' : quoted(this.text);
    const choices = Object.entries(this.choices).map(([at, [left, right]]) => `${at}: (${JSON.stringify(left)}, ${JSON.stringify(right)})`).join(", ");
    const more = `${algorithm === "frequency" ? ', score="frequency"' : ""}${choices && `, choices={${choices}}`}`;
    return `from subword_lab import ${modules}\n\ncorpus = ${corpus}\nword_freqs = text.word_freqs([corpus], "${scheme}")\n` +
      `steps = list(${module}.train_steps(word_freqs, num_merges=${this.k}, ties=${shortest ? "bpe.shortest_first" : `"${ties}"`}${more}))\n[step.pair for step in steps]`;
  }
}

customElements.get("subword-trainer") || customElements.define("subword-trainer", class extends HTMLElement {
  connectedCallback() {
    this.trainer ??= new Trainer(this, JSON.parse(this.dataset.settings));
  }
});
