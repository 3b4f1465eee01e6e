/* The roads through a word, and the ways on them: those of `subword_lab.lattice`. A word comes as its letters. */
/** Every place where a token fits, from left to right. model: `losses`, a Map; that of an `unknown` letter; `reach`, the longest token. */
export function roadsOf(letters, { losses, unknown, reach }) {
  const roads = [];
  for (let start = 0; start < letters.length; start++) {
    for (let end = start + 1; end <= Math.min(letters.length, start + reach); end++) {
      const token = letters.slice(start, end).join(""), loss = losses.get(token) ?? (end === start + 1 ? unknown : Infinity);
      if (loss < Infinity) roads.push({ start, end, token, loss });
    }
  }
  return roads;
}
/** The n cheapest ways to the end, the best first, each `{roads, loss}`; of equal ones, that whose last token is longer. */
export function bestWays(roads, length, n = 1) {
  const ways = Array.from({ length: length + 1 }, (_, gap) => (gap ? [] : [{ loss: 0 }]));
  for (const road of roads) {
    const longer = ways[road.start].map((before) => ({ before, road, loss: before.loss + road.loss }));
    ways[road.end] = [...ways[road.end], ...longer].sort((one, other) => one.loss - other.loss).slice(0, n);
  }
  return ways[length].map(({ loss, ...last }) => {
    const taken = [];
    for (let way = last; way.road; way = way.before) taken.unshift(way.road);
    return { roads: taken, loss };
  });
}
/** The loss of two ways together. */
const together = (one, other) => (one === other && one === Infinity ? one : Math.min(one, other) - Math.log1p(Math.exp(-Math.abs(one - other))));
/** For each gap, the loss of all ways to it; backwards, of all ways from it. A temperature divides every loss. */
export function allWays(roads, length, { temperature = 1, backwards = false } = {}) {
  const total = Array(length + 1).fill(Infinity);
  total[backwards ? length : 0] = 0;
  for (const { start, end, loss } of backwards ? roads.toReversed() : roads) {
    const [from, to] = backwards ? [end, start] : [start, end];
    total[to] = together(total[to], total[from] + loss / temperature);
  }
  return total;
}
/** For each road, the share of all ways that use it. */
export function sharesOf(roads, length) {
  const before = allWays(roads, length), after = allWays(roads, length, { backwards: true });
  return roads.map(({ start, end, loss }) => Math.exp(before[length] - before[start] - loss - after[end]) || 0);
}
