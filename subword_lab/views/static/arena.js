/* An arena: its reader forges the marks of a chat against four programs, and builds one that stops that. */
import ARENA from "./arena.html";
import { encoderOf } from "./encoding.js";
import { printable } from "./merging.js";
import { define, fill, keepTyped, lightAlike, make } from "./widget.js";
const plain = (text) => text.normalize("NFKC"), without = (text, marks) => text.replace(marks, "");
const withoutAny = (text, marks) => (text.search(marks) < 0 ? text : withoutAny(without(text, marks), marks));
/** What a program may do with a message, in this order; the last says how it is encoded. */
const STEPS = [plain, without, withoutAny, (text, marks) => (text.search(marks) < 0 ? text : ""), plain, String], APART = 5;
/** A message as the model reads it: text, and between each two pieces of it a mark like the program's own. */
export function piecesOf(message, steps, marks) {
  const left = steps.reduce((text, step) => STEPS[step](text, marks), message);
  return steps.includes(APART) ? [left] : left.split(marks);
}
function verdictOf({ message, isHonest }, pieces, opens, marks) {
  const forged = pieces.filter((_, i) => i % 2), isWhole = !forged.length && pieces[0] === message;
  if (isHonest) return isWhole ? ["unharmed", "it is read as it was sent"] : ["harmed", "it was honest"];
  if (forged.includes(opens)) return ["forged", `the model takes ${opens} for the program's own`];
  if (forged.length) return ["almost", "a turn ends, but no other begins"];
  if (!isWhole) return ["harmless", "but it is another message now"];
  return ["harmless", message.search(marks) < 0 ? "there is no mark in it" : "its marks are only letters"];
}
const shown = (text) => text.split("\n").map(printable).join("↵");
const tile = (tag, text) => make(tag, { className: "sl-tile", alike: text, textContent: shown(text) });
const share = (verdicts, ...good) => `${verdicts.filter((verdict) => good.includes(verdict)).length}/${verdicts.length}`;
define("subword-arena", (owner, { guards, attacks, honest, opens, ...settings }) => {
  const parts = fill(owner, ARENA, settings.title), marks = new RegExp(`(${settings.marks})`, "g"), tokensOf = encoderOf(settings.recipe);
  /** Show how programs read messages, and return the verdicts. */
  const judge = (place, lines) => {
    place.replaceChildren();
    return lines.map((line) => {
      const pieces = piecesOf(line.message, line.steps, marks), [verdict, why] = verdictOf(line, pieces, opens, marks);
      const tiles = pieces.flatMap((piece, i) => (i % 2 ? tile("b", piece) : tokensOf(piece).map((token) => tile("span", token))));
      const face = [make("span", {}, line.name), make("div", {}, ...tiles), make("p", {}, make("strong", {}, verdict), `: ${why}`)];
      place.append(make("div", { role: "listitem", className: `sl-${verdict}` }, ...face));
      return verdict;
    });
  };
  const attack = () => {
    const { value } = parts.message, message = value.slice(0, settings.longest).toWellFormed();
    const verdicts = judge(parts.tries, guards.map((guard) => ({ ...guard, message })));
    parts.won.textContent = share(verdicts, "forged");
    parts.told.textContent = guards[verdicts.lastIndexOf("forged") + 1].hint + (value.length > settings.longest ? " What is longer is left out." : "");
  };
  const defend = () => {
    const steps = Array.from(parts.steps.querySelectorAll(":checked"), ({ value }) => Number(value));
    const linesOf = (messages, isHonest) => messages.map((message) => ({ name: shown(message), message, steps, isHonest }));
    const verdicts = judge(parts.tests, [...linesOf(attacks, false), ...linesOf(honest, true)]);
    parts.stopped.textContent = share(verdicts.slice(0, attacks.length), "harmless", "almost");
    parts.whole.textContent = share(verdicts.slice(attacks.length), "unharmed");
  };
  parts.defense.hidden = !attacks.length;
  parts.steps.addEventListener("change", defend);
  keepTyped(parts.message, owner, "message", settings.text, attack);
  lightAlike(owner);
  attack();
  defend();
});
