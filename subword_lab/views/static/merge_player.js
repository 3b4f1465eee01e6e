/* A text, merged before one's eyes: tiles, the pairs with their counts, a curve to drag along, and buttons. */
import MERGE_PLAYER from "./merge_player.html";
import { BREAK, GAP, corpusOf, counted, isMirrored, isOdd, mergeSteps, number, printable, splitAt } from "./merging.js";
import { countTo, glideRows, glideTiles, moves, settle } from "./motion.js";
import { keepKeys, make, partsOf, whenPointed } from "./widget.js";
const LONG = 300; // letters; a longer text is drawn first and trained on when typing rests
const MORE = 200; // words and gaps that are drawn at first, and again where their end comes into sight
const WINNERS = { "first-seen": "the first seen wins", "lowest-ids": "the lowest ids win", greatest: "the greatest wins", "shortest-first": "the shortest token wins" };
/** A pair's score as Python writes it: a fraction in lowest terms. */
export function fraction({ count, weight }) {
  let divisor = weight, rest = count;
  while (rest) [divisor, rest] = [rest, divisor % rest];
  return weight === divisor ? number(count / divisor) : `${number(count / divisor)}/${number(weight / divisor)}`;
}
/** What a word, or what is between two, becomes on the page. */
function elementOf(key) {
  if (key === BREAK) return make("br");
  if (key === GAP) return make("span", { className: "sl-gap", textContent: " " });
  return make("span", { className: key.length < 13 ? "sl-word sl-short" : "sl-word", dir: isMirrored(key) ? "rtl" : "ltr" });
}
export class MergePlayer {
  /** trainings: merges learned elsewhere, by name: `learned`, see `mergeSteps`; `told`, what they are; `often`, what is said of a
   * pair's count; where symbols are no letters, `unit`, `corpusOf` and `textOf`. Texts too short to learn from get `elsewhere`.
   * changed: called after each text. owner: what the player is a part of, with keys of its own. */
  constructor(root, { trainings = {}, changed = () => {}, owner = root } = {}) {
    root.innerHTML = MERGE_PLAYER;
    Object.assign(this, partsOf(root), {
      root, owner, trainings, changed, ties: "first-seen", scored: false, text: "", source: "", k: 0, aim: 0,
      playing: false, wanted: true, words: [], corpus: null, run: null, drawn: MORE,
    });
    this.buttons = Object.fromEntries(Array.from(root.querySelectorAll("[data-go]"), (button) => [button.dataset.go, button]));
    this.listen();
  }
  /** What is merged, and by which merges: a text that repeats itself teaches; a name is too short, and gets merges learned elsewhere. */
  learn(most) {
    const asked = this.trainings[this.source], corpus = (asked?.corpusOf ?? corpusOf)(this.text);
    const own = asked ? null : mergeSteps(corpus, { most });
    const teaches = corpus.letters > LONG || (own?.useful >= 3 && corpus.letters >= 14);
    const training = asked ?? (this.source === "own" || teaches ? null : this.trainings.elsewhere);
    const replayed = training && mergeSteps(corpus, { most: most ?? Infinity, learned: training.learned });
    this.elsewhere = asked || replayed?.steps.length ? training : null;
    this.take(corpus, this.elsewhere ? replayed : own);
    if (asked?.textOf) this.run.names = this.run.names.map(asked.textOf);
  }
  take(corpus, run) {
    Object.assign(this, { corpus, run, colors: [] });
    this.run.steps.forEach(({ token }, i) => { this.colors[token] ??= (i % 8) + 1; });
  }
  /** Show a text: its letters at once, its merges learned and, after a moment of rest, played. source: "own", a training's name, or "" to choose. */
  read(text, { source = this.source, wait = 900 } = {}) {
    for (const timer of [this.timer, this.later, this.training]) clearTimeout(timer);
    settle(this.root);
    Object.assign(this, { text, source, k: 0, playing: false });
    const long = text.length > LONG;
    this.learn(long ? 0 : undefined);
    this.drawText(long);
    const rest = () => {
      this.drawCurve();
      this.show(this.aim);
      this.changed(this);
    };
    if (!long) rest();
    this.training = setTimeout(() => {
      if (long) {
        this.learn();
        rest();
      }
      if (this.wanted && moves() && this.run.steps.length) this.timer = setTimeout(() => this.play(), wait);
    }, long ? 150 : 0);
  }
  tile(symbol) {
    const name = this.run.names[symbol], color = this.colors[symbol];
    const className = `sl-tile${color ? " sl-merged" : ""}${isOdd(name) ? " sl-odd" : ""}`;
    return make("span", { className, style: color ? `--tile: var(--t${color})` : "", textContent: printable(name), dir: isMirrored(name) ? "rtl" : "ltr" });
  }
  /** The tiles of one word; what has not changed is kept. Returns the new tiles and the old ones that each one covers. */
  drawWord(word, split) {
    const { names, sizes } = this.run;
    const kept = new Map(word.tiles.map((tile) => [`${tile.start}:${tile.label}:${tile.color}`, tile]));
    const before = word.tiles, fresh = [];
    let start = 0;
    word.tiles = split.map((symbol) => {
      const end = start + sizes[symbol], color = this.colors[symbol], text = printable(names[symbol]);
      let tile = kept.get(`${start}:${text}:${color}`);
      if (tile) Object.assign(tile, { end, symbol });
      else {
        tile = { start, end, symbol, color, label: text, el: this.tile(symbol) };
        fresh.push({ el: tile.el, covers: before.filter((old) => old.start < end && old.end > tile.start) });
      }
      start = end;
      return tile;
    });
    if (fresh.length || word.tiles.length !== before.length) word.el.replaceChildren(...word.tiles.map((tile) => tile.el));
    word.split = split;
    return fresh;
  }
  /** The letters of a changed text. Words that are the same at both ends keep their tiles; in a long one, merged ones wait for `learn`. */
  drawText(long) {
    const { words, letters } = this.corpus, items = this.corpus.items.slice(0, this.drawn), keys = items.map((item) => words[item]?.text ?? item), old = this.words;
    const most = Math.min(keys.length, old.length);
    let head = 0, tail = 0;
    while (head < most && old[head].key === keys[head]) head += 1;
    while (tail < most - head && old.at(-1 - tail).key === keys.at(-1 - tail)) tail += 1;
    const fresh = keys.slice(head, keys.length - tail).map((key) => ({ key, tiles: [], el: elementOf(key) }));
    const kept = old.slice(old.length - tail), rest = kept[0]?.el ?? null;
    for (const { el } of old.slice(head, old.length - tail)) el.remove();
    for (const { el } of fresh) this.line.insertBefore(el, rest);
    this.words = [...old.slice(0, head), ...fresh, ...kept];
    this.words.forEach((word, i) => {
      word.item = items[i];
      if (word.item >= 0 && !(long && word.tiles.length)) this.drawWord(word, this.run.history[word.item][0][1]);
      word.el.style.marginInlineStart = word.item >= 0 && i && items[i - 1] >= 0 ? ".16em" : "";
    });
    this.stage.style.setProperty("--size", [[20, 40], [60, 30], [150, 23], [500, 17], [Infinity, 13]].find(([most]) => letters <= most)[1]);
    const dir = isMirrored(this.text) ? "rtl" : "ltr";
    if (this.stage.dir !== dir) this.stage.dir = dir; // set again, even the same one costs a look at every tile
    this.stage.style.minHeight = `min(max(7.2rem, ${this.line.offsetHeight + 12}px), 60vh, 36rem)`; // what follows stays where it is while the text gets shorter
    this.sight.unobserve(this.end);
    this.sight.observe(this.end); // which tells anew whether the end is in sight
  }
  /** The same text after k merges. */
  drawStep() {
    return this.words.filter((word) => word.item >= 0).flatMap((word) => {
      const split = splitAt(this.run.history[word.item], this.k);
      return split === word.split ? [] : this.drawWord(word, split);
    });
  }
  /** Mark every place of a pair, or of one token, with a class, or no place. */
  ring(className, pair) {
    for (const tile of Array.from(this.line.getElementsByClassName(className))) tile.classList.remove(className);
    const symbols = pair ? [pair.left, pair.right ?? []].flat() : [];
    for (const { tiles } of pair ? this.words : []) {
      for (let i = 0; i < tiles.length; i++) {
        if (!symbols.every((symbol, at) => tiles[i + at]?.symbol === symbol)) continue;
        for (const { el } of tiles.slice(i, i + symbols.length)) el.classList.add(className);
        i += symbols.length - 1;
      }
    }
  }
  /** The number of tokens, and the best pairs as bars. */
  drawCounts() {
    const { run, k, corpus, bars } = this;
    const worth = ({ count, weight }) => count / weight;
    const most = Math.max(...run.tops.flat().map(worth), 0);
    const rows = new Map(Array.from(bars.children, (row) => [row.dataset.pair, row]));
    const next = (run.tops[k] || []).map((pair) => {
      const key = `${run.names[pair.left]}\0${run.names[pair.right]}`;
      const row = rows.get(key) ?? make("li", {}, make("button", { type: "button" }, make("span"), make("i"), make("b")));
      row.dataset.pair = key;
      row.pair = pair;
      const [names, bar, count] = row.firstChild.children;
      names.replaceChildren(this.tile(pair.left), this.tile(pair.right));
      bar.style.transform = `scaleX(${Math.max(0.015, worth(pair) / most)})`;
      if (this.scored) count.textContent = fraction(pair);
      else countTo(count, pair.count, 380);
      return row;
    });
    const focus = bars.contains(document.activeElement) && document.activeElement;
    bars.replaceChildren(...next);
    const pairs = Array.from(bars.querySelectorAll("button")), at = pairs.includes(focus) ? focus : pairs[0];
    for (const button of pairs) button.tabIndex = button === at ? 0 : -1; // one stop for Tab; arrow keys go from pair to pair
    if (focus) (at ?? this.buttons.play).focus({ preventScroll: true });
    countTo(this.total, run.tokens[k], 420);
    const tokens = run.tokens[k] === 1 ? "token" : "tokens";
    this.from.textContent = `${tokens} from ${counted(corpus.letters, this.elsewhere?.unit ?? "letter")}, after ${counted(k, "merge")} of ${number(run.steps.length)}`;
  }
  /** The tokens after each merge as a falling line, and, where another training goes another way, its line too. */
  drawCurve() {
    const { tokens, useful, steps } = this.run, otherwise = this.byRule;
    const n = Math.max(1, steps.length), top = Math.max(1, ...tokens, ...(otherwise?.tokens ?? []));
    const height = (count) => (100 - (96 * count) / top).toFixed(2);
    const line = (counts) => `V${height(counts[0])}${counts.slice(1, n + 1).map((count, i) => `H${((100 * (i + 1)) / n).toFixed(2)}V${height(count)}`).join("")}`;
    const [all, past, other] = this.root.querySelectorAll(".sl-scrub path");
    for (const shape of [all, past]) shape.setAttribute("d", `M0 100${line(tokens)}${steps.length ? "" : "H100"}V100Z`);
    other.setAttribute("d", otherwise ? `M0 ${height(tokens[0])}${line(otherwise.tokens)}` : "");
    this.heart.style.insetInlineStart = `${(100 * useful) / n}%`;
    this.heart.hidden = this.elsewhere || useful === steps.length;
    this.scrub.max = steps.length;
    this.scrub.disabled = !steps.length;
  }
  drawControls() {
    const { k, run, playing, buttons } = this, n = run.steps.length;
    this.scrub.value = k;
    this.scrub.setAttribute("aria-valuetext", `merge ${k} of ${n}, ${counted(run.tokens[k], "token")}`);
    this.past.style.setProperty("--part", n ? k / n : 0);
    // Not `disabled`: a disabled button loses the focus, and the next key would reach the notebook.
    for (const [name, end] of Object.entries({ first: 0, back: 0, on: n, last: n })) buttons[name].setAttribute("aria-disabled", k === end);
    buttons.play.setAttribute("aria-label", playing ? "Pause" : "Play");
  }
  /** A sentence or two about what just happened; silent while it plays. */
  drawSaid() {
    const { run, k } = this;
    this.said.setAttribute("aria-live", this.playing ? "off" : "polite");
    this.said.replaceChildren(...(k ? this.sayStep(run.steps[k - 1]) : this.sayStart(run.steps[0])));
    if (this.playing) return;
    const seen = this.words.map(({ item, tiles }) => (item < 0 ? " " : tiles.map((tile) => tile.label).join("|"))).join("|").replace(/\|? \|?/g, " ");
    this.stage.setAttribute("aria-label", `Your text as tokens: ${seen.slice(0, 400)}`);
  }
  sayStart(next) {
    if (!this.corpus.letters) return ["Nothing here yet: type a letter."];
    if (!next && this.elsewhere) return [`None of these merges fits your text: every ${this.elsewhere.unit ?? "letter"} stays a token of its own.`];
    if (!next) return ["No letter has a neighbor inside its word, so there is no pair to count."];
    const pair = [this.tile(next.left), " ", this.tile(next.right)];
    if (this.elsewhere) {
      return [`${this.elsewhere.told}, replayed on your text in the order in which they were learned. First: `, ...pair, this.elsewhere.often ? `, ${this.elsewhere.often(next)}.` : "."];
    }
    if (next.count === 1 && !this.scored) return ["Every letter is a token. ", ...pair, " come first: every pair is there only once."];
    const others = next.ties > 1 ? `, as ${counted(next.ties - 1, "other pair")}; ${WINNERS[this.ties]}.` : ", more than any other pair.";
    return ["Every letter is a token. ", ...pair, ...this.sayCount(next, " are neighbors ", " have a score of "), others];
  }
  /** How often a pair occurs, or what its score is. */
  sayCount(pair, often, score) {
    return [this.scored ? score : often, make("strong", { textContent: this.scored ? fraction(pair) : counted(pair.count, "time") })];
  }
  sayStep(step) {
    const { run, k } = this, strong = (text) => make("strong", { textContent: text });
    const words = [this.tile(step.left), " and ", this.tile(step.right), " became ", this.tile(step.token)], there = this.elsewhere;
    if (there) words.push(`: ${there.often ? `${there.often(step)}, ` : ""}merge ${number(step.rank + 1)} of ${number(there.learned.size)} there. `);
    else words.push(...this.sayCount(step, ": ", ": a score of "), ". ");
    const [was, good] = [step.ties === 2 ? "One other pair was" : `${number(step.ties - 1)} other pairs were`, this.scored ? "good" : "frequent"];
    if (step.ties > 1) words.push(`${was} as ${good}; ${WINNERS[this.ties]}. `);
    if (step.chosen) words.push("You chose it. ");
    words.push(strong(`${number(run.tokens[k - 1])} → ${counted(run.tokens[k], "token")}.`));
    if (!this.elsewhere && k === run.useful) words.push(" From here on no pair is there twice: more merges would learn your words by heart.");
    else if (k === run.steps.length) words.push(this.elsewhere ? " None of the other merges fits." : " That was the last one.");
    return words;
  }
  /** Milliseconds from one merge to the next: the first ones slowly, all of them within three quarters of a minute. */
  pace() {
    const slow = this.k < 3 ? 1500 : 1050;
    return Math.max(180, Math.min(slow, 45000 / Math.max(1, this.run.useful || this.run.steps.length))) / this.rate.value;
  }
  /** Show the text after k merges, within ms milliseconds. */
  show(k, ms = 0) {
    this.k = Math.max(0, Math.min(this.run.steps.length, k));
    this.ring("sl-next");
    this.ring("sl-lit");
    glideTiles(this, ms, () => this.drawStep());
    glideRows(this.bars, ms, () => this.drawCounts());
    this.drawControls();
    this.drawSaid();
    clearTimeout(this.later);
    this.later = setTimeout(() => this.ring("sl-next", this.run.steps[this.k]), moves() ? ms * 1.05 : 0);
  }
  /** Play as far as merges are of use; pressed again, on to whole words learned by heart. */
  play() {
    clearTimeout(this.timer);
    if (!this.run.steps.length) return;
    if (this.k === this.run.steps.length) this.show(0);
    const end = this.k < this.run.useful ? this.run.useful : this.run.steps.length;
    const beat = () => {
      if (this.near && !document.hidden) this.stepTo(this.k + 1); // what nobody sees does not play
      if (this.k < end) this.timer = setTimeout(beat, this.pace());
      else this.pause();
    };
    this.playing = true;
    this.drawControls();
    this.timer = setTimeout(beat, this.pace() * 0.4);
  }
  pause() {
    clearTimeout(this.timer);
    if (!this.playing) return;
    this.playing = false;
    this.drawControls();
    this.drawSaid();
  }
  /** One of the buttons, or the slider, by hand: whatever plays is paused first. */
  act(name) {
    const { k, scrub, playing, run: { useful, steps } } = this;
    const to = { first: 0, back: k - 1, on: k + 1, last: k < useful ? useful : steps.length, scrub: Number(scrub.value) }[name];
    this.pause();
    this.wanted = name === "play" && !playing;
    if (this.wanted) this.play();
    else if (name !== "play") this.stepTo(to);
  }
  /** Show the text after k merges: the next one and the one before move there. */
  stepTo(k) {
    this.show(k, Math.abs(k - this.k) === 1 ? Math.min(560, this.pace() * 0.5) : 0);
  }
  listen() {
    this.owner.tabIndex = -1; // wherever it is pressed, the keyboard is its own
    this.owner.addEventListener("keydown", (event) => this.key(event));
    keepKeys(this.owner);
    for (const [name, button] of Object.entries(this.buttons)) button.addEventListener("click", () => this.act(name));
    this.scrub.addEventListener("input", () => this.act("scrub"));
    // What a list names lights up in the text where it is pointed at; a tile lights up its pairs.
    for (const list of this.owner.querySelectorAll("ol")) whenPointed(list, (part) => this.ring("sl-lit", part?.closest("li")?.pair));
    this.line.addEventListener("pointerover", ({ target }) => {
      const isAlike = ({ textContent }) => target.matches(".sl-tile") && textContent === target.textContent;
      for (const tile of this.bars.querySelectorAll(".sl-tile")) tile.classList.toggle("sl-lit", isAlike(tile));
    });
    new IntersectionObserver(([entry]) => { this.near = entry.isIntersecting; }).observe(this.root);
    this.sight = new IntersectionObserver(([entry]) => {
      if (!entry.isIntersecting || this.drawn >= this.corpus.items.length) return;
      this.drawn += MORE;
      this.drawText(true);
      this.drawStep();
    }, { root: this.stage, rootMargin: "50%" });
  }
  /** A key that the player has something to do for is the player's, unless it is typed into something or presses a button. */
  key(event) {
    const busy = event.target.closest("textarea, input, select, summary"), button = event.target.closest("button");
    if (busy || event.ctrlKey || event.metaKey || event.altKey || (button && event.key === " ")) return;
    const action = { " ": "play", k: "play", ArrowRight: "on", ArrowLeft: "back", Home: "first", End: "last" }[event.key];
    const pair = button?.closest("li")?.[{ ArrowDown: "nextSibling", ArrowUp: "previousSibling" }[event.key]];
    if (!pair && (!action || this.buttons[action].ariaDisabled === "true")) return;
    event.preventDefault();
    if (pair) pair.firstChild.focus();
    else this.act(action);
  }
}
