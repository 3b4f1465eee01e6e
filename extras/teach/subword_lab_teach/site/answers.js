// Cards on a page: what is said of an answer comes with the question, and is looked up. A notebook asks its kernel instead.
const amount = text => {                                    // NaN for what is no number
  const plain = text.replace(/\s|,(?=\d{3}\b)/g, "").replace(",", ".");
  const [, over, under = 1] = plain.match(/^(-?\d*\.?\d+)(?:\/(\d+))?$/) ?? [];
  return over / under;
};
const tokens = text => {                                    // between bars, in quotes, or between spaces, commas and the like
  const quoted = /^\W*["']/.test(text) && !text.includes("|") ? Array.from(text.matchAll(/(["'])(.*?)\1/g), found => found[2]) : [];
  const parts = quoted.length ? quoted : text.split(text.includes("|") ? "|" : /[\s,;>+]+/);
  return parts.map(token => token.trim()).filter(Boolean).join("|");
};
const PLAIN = { letters: text => text.toLowerCase().replace(/[^a-z]/g, ""), words: text => tokens(text.toLowerCase()), tokens };
function verdictOf({ known, said, read }, answer) {
  const plain = PLAIN[read], given = amount(answer), right = amount(known[0][0]);
  if (!plain(answer)) return said.none;
  const same = ([other, , near]) => plain(other) === plain(answer) || Math.abs(amount(other) - given) <= near;
  const reply = known.find(([other]) => other === answer) ?? known.find(same);
  return reply?.[1] ?? (isNaN(right) ? said.other : isNaN(given) ? said.form : given > right ? said.large : said.small);
}
for (const place of document.querySelectorAll("[data-asked]")) {
  const cards = JSON.parse(place.querySelector("script").textContent); // each a list of sets of figures, in turn; on top is cards[0][0]
  const isDeck = "deck" in place.dataset, done = () => `subword-lab/${cards[0][0].shown.id}`;
  const standing = now => { try { return now ? localStorage[done()] = now : localStorage[done()] ?? ""; } catch { return now || ""; } };
  let right = 0, first, shown, draw;
  const deal = () => {
    first = "";
    return { ...cards[0]?.[0].shown, standing: cards.length ? standing() : "", deck: isDeck && `${right} right, ${cards.length} to go` };
  };
  const noted = note => ({ notes: [...new Set([...shown.notes, note])] }); // each once
  const actions = {
    check(answer) {
      const feedback = verdictOf(cards[0][0], answer);
      if (["good", "bad"].includes(feedback.tone)) first ||= feedback.tone;
      return { feedback, standing: standing(feedback.tone === "good" && "✓ done") };
    },
    hint: () => noted(cards[0][0].hints[shown.notes.filter(({ title }) => title.startsWith("Hint")).length]),
    solution: () => noted(cards[0][0].solution),
    new: () => { cards[0].push(cards[0].shift()); return deal(); },
    next() {
      const [figures, ...others] = cards.shift();
      if (first === "good") right += 1;
      else cards.push([...others, figures]);                // it comes back, with other figures
      const end = { symbol: "✓", word: "Done", tone: "good", message: `<p>That was the last one: ${right} right.</p>` };
      return { ...deal(), ...(cards.length ? {} : { key: "", notes: [], feedback: end }) };
    },
  };
  const send = message => {
    shown = { ...shown, ...actions[message.do](message.answer), reply: shown.reply + 1 };
    draw();
  };
  shown = deal();
  place.replaceChildren();
  card.render({ el: place, model: { get: () => shown, on: (what, drawn) => { draw ??= drawn; }, off() {}, send } });
}
