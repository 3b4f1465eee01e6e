/* A word's lattice: its reader takes each token that fits as a road, and may ask for the best way. */
import ROADS from "./roads.html";
import { allWays, bestWays, roadsOf, sharesOf } from "./lattice.js";
import { counted, isMirrored, isOdd, printable } from "./merging.js";
import { define, fill, keepTyped, lightAlike, make, rove } from "./widget.js";
const WAYS = 6; // that are listed
const priced = (loss) => loss.toFixed(2), percent = (part) => `${(100 * part).toFixed(1)}%`, keyOf = ({ start, token }) => `${start} ${token}`;
/** The lane of each road: 0 for single letters, else the lowest that is free between its two gaps. */
function lanesOf(roads) {
  const lanes = new Map(), sizeOf = ({ start, end }) => end - start;
  for (const road of roads.toSorted((one, other) => sizeOf(one) - sizeOf(other) || one.start - other.start)) {
    const beside = Array.from(lanes).filter(([other]) => other.start < road.end && road.start < other.end).map(([, lane]) => lane);
    let lane = sizeOf(road) > 1 ? 1 : 0;
    while (lane && beside.includes(lane)) lane += 1;
    lanes.set(road, lane);
  }
  return lanes;
}
class Lattice {
  constructor(owner, settings) {
    Object.assign(this, fill(owner, ROADS, settings.title), { settings, taken: new Set(), told: false });
    this.label.textContent = `Your word, up to ${settings.longest} letters`;
    keepTyped(this.word, owner, "word", settings.word, () => this.read());
    this.reach = rove(this.map, () => this.roads.map(({ button }) => button));
    this.heat.addEventListener("input", () => this.drawWays());
    this.map.addEventListener("click", ({ target }) => this.take(target.closest("button")?.road));
    this.ask.addEventListener("click", () => {
      this.told = !this.told;
      this.draw();
    });
    this.again.addEventListener("click", () => this.reset());
    lightAlike(owner);
    this.reset();
  }
  /** All losses as they were given, no road taken. */
  reset() {
    const { tokens, losses, unknown } = this.settings;
    this.model = { losses: new Map(tokens.map((token, i) => [token, losses[i]])), unknown: unknown ?? Infinity };
    this.model.reach = Math.max(1, ...tokens.map((token) => Array.from(token).length));
    this.top = Math.ceil(Math.max(1, ...losses)) + 5;
    this.taken.clear();
    this.read();
  }
  read() {
    const letters = Array.from(this.word.value.toWellFormed());
    this.fits = letters.length > 0 && letters.length <= this.settings.longest;
    this.letters = this.fits ? letters : [];
    this.roads = roadsOf(this.letters, this.model);
    this.taken = this.taken.intersection(new Set(this.roads.map(keyOf)));
    this.drawMap();
    this.drawPrices();
    this.draw();
  }
  drawMap() {
    const { letters, roads, map } = this, lanes = lanesOf(roads), ground = Math.max(0, ...lanes.values()) + 1;
    map.style.setProperty("--letters", letters.length);
    map.style.setProperty("--lanes", ground - 1);
    map.dir = isMirrored(letters.join("")) ? "rtl" : "ltr";
    const dots = [...letters, ""].map((_, gap) => make("span", { textContent: gap, ariaHidden: "true", style: `grid-area: ${ground} / ${gap + 1}` }));
    Object.assign(dots.at(-1), { className: "sl-end", style: `grid-area: ${ground} / ${letters.length || 1}` });
    const drawn = roads.map((road) => {
      const { start, end, token, loss } = road, lane = lanes.get(road), known = this.model.losses.has(token);
      const face = make("b", { textContent: printable(token), className: isOdd(token) ? "sl-odd" : "" });
      const button = make("button", { type: "button", road, alike: token }, face, make("small", { textContent: priced(loss) }));
      const area = lane ? `${ground - lane} / ${start + 1} / ${ground + 1}` : `${ground} / ${start + 1} / ${ground + 2}`;
      const className = `sl-road${lane ? "" : " sl-low"}${known ? "" : " sl-strange"}`;
      return Object.assign(road, { button, el: make("div", { style: `grid-area: ${area} / ${end + 1}`, className }, button) }).el;
    });
    map.replaceChildren(...dots, ...drawn);
    this.reach(roads[0]?.button);
  }
  /** Take a road or give it back; what it crosses is given up. */
  take(road) {
    if (!road) return;
    if (!this.taken.delete(keyOf(road))) {
      for (const other of this.roads) if (other.start < road.end && road.start < other.end) this.taken.delete(keyOf(other));
      this.taken.add(keyOf(road));
    }
    this.draw();
    road.button.focus({ preventScroll: !this.map.contains(document.activeElement) });
  }
  drawPrices() {
    const { losses } = this.model, names = new Set(this.roads.map(({ token }) => token).filter((token) => losses.has(token)));
    this.prices.replaceChildren(...Array.from(names, (token) => {
      const loss = losses.get(token), ariaLabel = `Loss of ${printable(token)}`, told = make("output", { textContent: priced(loss) });
      const field = make("input", { type: "range", min: 0, max: this.top, step: "any", value: loss, ariaLabel });
      field.addEventListener("input", () => {
        losses.set(token, field.valueAsNumber);
        for (const road of this.roads) if (road.token === token) road.loss = field.valueAsNumber;
        told.textContent = priced(field.valueAsNumber);
        this.draw();
      });
      return make("label", { alike: token }, make("span", { className: "sl-tile", textContent: printable(token) }), field, told);
    }));
  }
  draw() {
    const { roads, letters, told } = this, [best] = bestWays(roads, letters.length), shares = sharesOf(roads, letters.length);
    this.way = roads.filter((road) => this.taken.has(keyOf(road)));
    const sum = this.way.reduce((total, { loss }) => total + loss, 0);
    for (const [i, road] of roads.entries()) {
      const { el, button, token, start, end, loss } = road;
      button.title = told ? `in ${percent(shares[i])} of all ways` : "";
      button.setAttribute("aria-pressed", this.way.includes(road));
      button.setAttribute("aria-label", `${printable(token)} from ${start} to ${end}, ${priced(loss)} ${button.title}`);
      el.style.setProperty("--share", told ? shares[i] : 0);
      button.lastChild.textContent = priced(loss);
      el.classList.toggle("sl-best", Boolean(told && best?.roads.includes(road)));
    }
    this.mine.textContent = priced(sum);
    this.best.textContent = told && best ? priced(best.loss) : "?.??";
    this.best.classList.toggle("sl-secret", !told);
    this.ask.textContent = told ? "Hide the best way" : "Show the best way";
    this.known.hidden = !told;
    this.said.textContent = this.say(best, sum);
    this.drawWays();
  }
  say(best, sum) {
    const { way, letters, told } = this, spelled = (roads) => roads.map(({ token }) => printable(token)).join("|");
    if (!this.fits) return `Your word has ${counted(Array.from(this.word.value).length, "letter")}: a map is drawn for 1 to ${this.settings.longest}.`;
    if (!best) return "No way leads through this word.";
    const target = told ? ` The best way is ${spelled(best.roads)}, with a loss of ${priced(best.loss)}.` : "";
    if (!way.length) return `Take roads from the first dot to the last: the cheaper they are together, the better.${target}`;
    if (way.reduce((size, { start, end }) => size + end - start, 0) < letters.length) {
      return `Your way so far: ${spelled(way)}, ${priced(sum)}. Take roads until the word is whole.${target}`;
    }
    const more = sum - best.loss;
    const verdict = more < 1e-9 ? "That is the best there is." : told ? `${priced(more)} more than the best.${target}` : "There is a cheaper one.";
    return `Your way is ${spelled(way)}, with a loss of ${way.map(({ loss }) => priced(loss)).join(" + ")} = ${priced(sum)}. ${verdict}`;
  }
  /** How likely each of the best ways is, when all losses are divided by the temperature. */
  drawWays() {
    if (!this.told) return;
    const { roads, letters, heat } = this, temperature = heat.valueAsNumber, ways = bestWays(roads, letters.length, WAYS);
    const total = temperature && allWays(roads, letters.length, { temperature }).at(-1);
    this.warmth.textContent = priced(temperature);
    this.ways.replaceChildren(...ways.map(({ roads: way, loss }, i) => {
      const part = temperature ? Math.exp(total - loss / temperature) : Number(i === 0);
      const tiles = way.map(({ token }) => make("span", { className: "sl-tile", alike: token, textContent: printable(token) }));
      return make("li", {}, make("span", {}, ...tiles), make("small", { textContent: priced(loss) }), make("i", { style: `--part: ${part}` }),
        make("b", { textContent: percent(part) }));
    }));
  }
}
define("subword-lattice", (owner, settings) => new Lattice(owner, settings));
