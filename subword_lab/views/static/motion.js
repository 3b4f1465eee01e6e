/* How things move: from where they were to where they are now. Nothing moves for whom the system says so. */
const GLIDE = "cubic-bezier(.35, 0, .1, 1)";
const still = matchMedia("(prefers-reduced-motion: reduce)");
const counters = new WeakMap();
/** Whether things may move. */
export const moves = () => !still.matches;
/** An animation of the browser's own. */
export const animate = (node, frames, options) => node.animate(frames, { easing: GLIDE, fill: "backwards", ...options });
/** End whatever moves in an element: everything is where it belongs. */
export const settle = (root) => root.getAnimations({ subtree: true }).forEach((animation) => animation.cancel());
/** Count the number in a node up or down to `to`, within `ms` milliseconds. */
export function countTo(node, to, ms) {
  const from = counters.get(node)?.to ?? to;
  const mine = { to };
  counters.set(node, mine);
  const show = (value) => { node.textContent = value.toLocaleString("en"); };
  if (from === to || !moves() || document.hidden) return show(to);
  const start = performance.now();
  const frame = (now) => {
    if (counters.get(node) !== mine) return;
    const part = Math.min(1, Math.max(0, (now - start) / ms)); // the first frame may be older than the call
    show(Math.round(from + (to - from) * (1 - (1 - part) ** 3)));
    if (part < 1) requestAnimationFrame(frame);
  };
  show(from);
  requestAnimationFrame(frame);
}
/** Rows that have changed places slide there, new ones come in from the side. rows: pairs of a row and its old offsetTop. */
export function glideRows(rows, ms) {
  if (!ms || !moves()) return;
  const tops = rows.map(([row]) => row.offsetTop);
  rows.forEach(([row, before], i) => {
    if (before === undefined) animate(row, [{ opacity: 0, transform: "translateX(14px)" }, {}], { duration: ms });
    else if (before !== tops[i]) animate(row, [{ transform: `translateY(${before - tops[i]}px)` }, {}], { duration: ms });
  });
}
/** Change tiles, and let what is in sight glide from where it was.
 *
 * stage: the element that scrolls and holds `line`, with the tiles in it, and `layer`, above them. change() changes the
 * tiles and returns the new ones, each `{el, covers}`: `covers` are the old tiles, `{el, label}`, in whose place it is. */
export function glideTiles({ stage, line, layer }, ms, change) {
  settle(stage);
  layer.replaceChildren();
  if (!ms || !moves()) return void change();
  const tiles = line.getElementsByClassName("sl-tile");
  if (tiles.length > 600) { // too many to move: what is new pops up
    for (const { el } of change().slice(0, 80)) animate(el, [{ transform: "scale(1.35)" }, {}], { duration: ms });
    return;
  }
  const frame = stage.getBoundingClientRect();
  const low = Math.max(frame.top, 0) - 40, high = Math.min(frame.bottom, innerHeight) + 40;
  const boxes = Array.from(tiles, (tile) => [tile, tile.getBoundingClientRect()]);
  const before = new Map(boxes.filter(([, box]) => box.bottom > low && box.top < high));
  const fresh = change();
  const moved = Array.from(tiles, (tile) => [tile, before.get(tile), tile.getBoundingClientRect()])
    .filter(([, was, box]) => was && (Math.abs(was.left - box.left) > 0.5 || Math.abs(was.top - box.top) > 0.5));
  const born = fresh.map((tile) => ({
    ...tile, box: tile.el.getBoundingClientRect(), from: tile.covers.map((old) => before.get(old.el)),
    spots: spotsOf(tile.el.firstChild, tile.covers),
  })).filter(({ from }) => from.some(Boolean)).slice(0, 120);
  for (const [tile, was, box] of moved.slice(0, 500)) { // within a line it slides; into another one it fades
    const x = was.left - box.left, y = was.top - box.top;
    const start = Math.abs(y) > 4 ? { opacity: 0, transform: `translate(${Math.sign(x) * -12}px, 0)` } : { transform: `translate(${x}px, ${y}px)` };
    animate(tile, [start, {}], { duration: ms });
  }
  for (const tile of born) {
    if (tile.covers.length > 1) slideTogether(tile, { stage, layer, frame }, ms);
    else slideOut(tile, ms);
  }
}
/** Where each covered label stands in the new tile's text. */
function spotsOf(text, covers) {
  const range = document.createRange();
  let at = 0;
  return covers.map(({ label }) => {
    range.setStart(text, at);
    range.setEnd(text, at = Math.min(text.length, at + label.length));
    return range.getBoundingClientRect();
  });
}
/** One tile came apart: its piece slides out of where it was. */
function slideOut({ el, box, from: [was] }, ms) {
  const x = Math.min(Math.max(box.left, was.left), was.right - box.width) - box.left;
  animate(el, [{ transform: `translate(${x}px, ${was.top - box.top}px)`, opacity: 0.4 }, {}], { duration: ms });
}
/** Several tiles became one: their letters slide together on one tile, which draws itself in. */
function slideTogether({ el, box, from, covers, spots }, { stage, layer, frame }, ms) {
  covers.forEach((old, i) => {
    const was = from[i];
    if (!was) return;
    const end = `translate(${(spots[i].left + spots[i].right - was.left - was.right) / 2}px, ${box.top - was.top}px)`;
    old.el.classList.add("sl-ghost");
    Object.assign(old.el.style, {
      left: `${was.left - frame.left}px`, top: `${was.top - frame.top + stage.scrollTop}px`, width: `${was.width}px`,
    });
    layer.append(old.el);
    animate(old.el, [{}, { backgroundColor: "#0000", boxShadow: "none" }], { duration: ms * 0.35, fill: "both" });
    animate(old.el, [{ opacity: 1 }, { transform: end, opacity: 1, offset: 0.72 }, { transform: end, opacity: 0 }], { duration: ms, fill: "both" })
      .finished.then(() => old.el.remove(), () => {});
  });
  const edges = from.filter(Boolean);
  const level = edges.length === from.length && edges.every((was) => Math.abs(was.top - box.top) < 2);
  const left = Math.min(...edges.map((was) => was.left)), right = Math.max(...edges.map((was) => was.right));
  const start = level ? `translate(${left - box.left}px) scaleX(${(right - left) / box.width})` : "none";
  animate(el, [
    { opacity: 0, color: "#0000", transformOrigin: "0 0", transform: start },
    { opacity: 1, offset: 0.35 },
    { color: "#0000", transform: "none", transformOrigin: "0 0", offset: 0.72 },
    { transformOrigin: "0 0" },
  ], { duration: ms });
}
