/* A character as bits: its reader flips them, and reads what a decoder makes of them then, and why. */
import BITS from "./bits.html";
import { isOdd, letterOf, printable } from "./merging.js";
import { animate, moves } from "./motion.js";
import { define, fill, keepTyped, lightAlike, make, rove } from "./widget.js";
/** Bytes below each number: how long a character is that begins so, and how many of the bits say that. */
const KINDS = [[0x80, 1, 1], [0xc0, 0, 2], [0xe0, 2, 3], [0xf0, 3, 4], [0xf8, 4, 5], [0x100, 0, 8]];
const named = (number) => `U+${number.toString(16).toUpperCase().padStart(4, "0")}`;
export const readBytes = (bytes) => new TextDecoder("utf-8", { ignoreBOM: true }).decode(Uint8Array.from(bytes));
function faultOf(place, bytes, size, number) {
  if (!size) return `Byte ${place} ${bytes[0] < 0xc0 ? "goes on with a character, and none is open" : "is in no text at all"}.`;
  if (bytes.length < size) return `Byte ${place} opens a character of ${size} bytes, and not all are there.`;
  if (number > 0x10ffff) return `${named(number)} is beyond U+10FFFF, where Unicode ends.`;
  if (number >> 11 === 0x1b) return `${named(number)} is a surrogate, half of a pair in UTF-16.`;
  return readBytes(bytes) === String.fromCodePoint(number) ? "" : `${named(number)} has room in fewer bytes: this is an overlong form.`;
}
/** The characters in a row of bytes, and what is none. size: how many bytes its first one promises. */
export function unitsOf(bytes) {
  const units = [];
  for (let at = 0, end; at < bytes.length; at = end) {
    const [, size, marks] = KINDS.find(([limit]) => bytes[at] < limit);
    for (end = at + 1; end < at + size && bytes[end] >> 6 === 2;) end += 1;
    const own = bytes.slice(at, end), rest = own.slice(1);
    const number = rest.reduce((sum, byte) => 64 * sum + (byte & 63), own[0] & (0xff >> marks));
    units.push({ at, own, size, marks, number, text: readBytes(own), fault: faultOf(at + 1, own, size, number) });
  }
  return units;
}
/** Stairs: each bit of the number stands above the bit of a byte that carries it. */
function drawUnit({ at, own, size, marks, number, text, fault }, flip) {
  const end = 6 * Math.max(size, 1) + 6, hex = number.toString(16).toUpperCase().padStart((end - marks - 1) >> 2, "0");
  const lineOf = (i) => Math.max(marks + 4, end - 4 * (hex.length - i));
  const digits = Array.from(own.length === size ? hex : "", (textContent, i) => make("b", { textContent, alike: `${at} ${i}`, style: `grid-column: ${lineOf(i)} / ${lineOf(i + 1)}` }));
  const rows = own.map((byte, row) => {
    const name = make("span", {}, byte, make("span", { className: "sl-tile", textContent: letterOf(byte) }));
    const bits = Array.from(byte.toString(2).padStart(8, "0"), (bit, i) => {
      const isMark = i < (row ? 2 : marks), alike = isMark ? undefined : `${at} ${hex.length - Math.ceil((end - 6 * row - i - 4) / 4)}`;
      const className = `sl-bit ${isMark ? "sl-mark" : ""} ${bit === "1" ? "sl-one" : ""}`;
      const ariaLabel = `byte ${at + row + 1}, bit ${i + 1}: ${bit}`, onclick = () => flip(8 * (at + row) + i);
      return make("button", { type: "button", className, alike, ariaLabel, onclick, textContent: bit });
    });
    return make("div", { className: "sl-byte", style: `--row: ${row}` }, name, ...bits);
  });
  const face = make("p", {}, make("b", { textContent: isOdd(text) ? "" : printable(text) }), fault ? "no character" : named(number));
  return make("div", { className: fault ? "sl-unit sl-broken" : "sl-unit", style: `--wide: ${end - 1}` }, face, ...digits, ...rows);
}
define("subword-bits", (owner, { title, text, longest }) => {
  const { field, map, said, ...parts } = fill(owner, BITS, title), bits = () => Array.from(map.querySelectorAll("button"));
  const reach = rove(map, bits);
  let bytes, sent, left;
  const draw = () => {
    const units = unitsOf(bytes), read = readBytes(bytes), now = printable(read);
    const why = units.map(({ fault }) => fault).join(" ").trim() || "Nothing is broken: nobody will notice.";
    map.replaceChildren(...units.map((unit) => drawUnit(unit, flip)));
    reach();
    parts.points.textContent = Array.from(read).length;
    parts.size.textContent = bytes.length;
    const rest = bytes.length ? "Press a bit to flip it, and see what is read then." : "Type a character.";
    said.textContent = (now === sent ? rest : `Where “${sent}” was sent, “${now}” is read. ${why}`) + left;
  };
  const flip = (place) => {
    bytes[place >> 3] ^= 0x80 >> place % 8;
    draw();
    bits()[place].focus({ preventScroll: true });
    if (moves()) animate(bits()[place], [{ transform: "scaleY(-1)" }, {}], { duration: 320 });
  };
  const type = () => {
    const room = new Uint8Array(longest), { read, written } = new TextEncoder().encodeInto(field.value, room);
    left = read < field.value.length ? " What is longer is left out." : "";
    bytes = Array.from(room.subarray(0, written));
    sent = printable(readBytes(bytes));
    draw();
  };
  lightAlike(owner);
  keepTyped(field, owner, "character", text, type);
  type();
});
