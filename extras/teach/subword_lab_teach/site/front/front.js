/* The front page: a text of one's own, merged; what the same sentence costs in four languages; a link and a picture to share. */
import { BREAK, GAP, bytesAsLetters, codePoint, corpusBy, counted, graphemes, lettersAsText, readMerges } from "./merging.js";
import { countTo, moves } from "./motion.js";
import { MergePlayer } from "./merge_player.js";
import { make } from "./widget.js";
const MOST = 5000; // characters of a text, in the field and in a link
const SENTENCES = [
  ["English", "en", "The cat sits on the carpet."],
  ["Russian", "ru", "Кошка сидит на ковре."],
  ["Chinese", "zh", "猫坐在地毯上。"],
  ["Burmese", "my", "ကြောင်သည် ကော်ဇောပေါ်တွင် ထိုင်နေသည်။"],
];
const at = (id) => document.getElementById(id);
const radios = (name) => Array.from(document.getElementsByName(name));
const bytesOf = (text) => Array.from(new TextEncoder().encode(text));
const field = at("text");
// ------------------------------------------------------------------------------------------------------- a link to share
/** A text as links can hold it: whole characters, at most MOST of them. */
const whole = (text) => text.toWellFormed().replace(/\r\n?/g, "\n").slice(0, MOST).replace(/[\ud800-\udbff]$/, "");
const linkOf = ({ text, source }) => `#t=${encodeURIComponent(whole(text))}${source ? `&by=${source}` : ""}`;
/** What the address asks for; null where it asks for nothing that can be read. */
function fromAddress() {
  const asked = new URLSearchParams(location.hash.slice(1)), text = asked.get("t") ?? "\ufffd", by = asked.get("by");
  return text.includes("\ufffd") ? null : { text: whole(text), source: ["own", "elsewhere", "gpt4o"].includes(by) ? by : "" }; // it stands for a broken escape
}
let keeping = 0;
function keepInAddress() {
  clearTimeout(keeping);
  keeping = setTimeout(() => history.replaceState(null, "", linkOf(player)), 400);
}
/** Say something on a button for a moment. */
function sayOn(button, words) {
  button.dataset.label ??= button.textContent;
  button.textContent = words;
  clearTimeout(button.timer);
  button.timer = setTimeout(() => { button.textContent = button.dataset.label; }, 1800);
}
function copyLink({ currentTarget: button }) {
  clearTimeout(keeping);
  history.replaceState(null, "", linkOf(player));
  const copied = navigator.clipboard?.writeText(location.href) ?? Promise.reject(); // only a safe page has one
  copied.then(() => sayOn(button, "Copied"), () => sayOn(button, "It is in the address bar"));
}
// ---------------------------------------------------------------------------------------------------- a picture to share
const PICTURE = { width: 1200, height: 630, left: 80, wide: 1040, high: 390 };
/** The text laid out once more, as large as it fits into the picture; the tiles as they stand, without a mark. */
function layOut() {
  const stage = make("div", { className: "sl-stage", dir: player.stage.dir, innerHTML: player.line.innerHTML.replaceAll("sl-next", "") });
  Object.assign(stage.style, { position: "fixed", left: `${PICTURE.left}px`, width: `${PICTURE.wide}px`, minHeight: 0, maxHeight: "none", margin: 0, padding: 0 });
  player.root.append(stage);
  let size = 76;
  do stage.style.fontSize = `${size}px`; while (stage.offsetHeight > PICTURE.high && (size *= 0.8) > 6);
  return stage;
}
function picture() {
  const canvas = make("canvas", { width: PICTURE.width, height: PICTURE.height }), pen = canvas.getContext("2d"), stage = layOut();
  const { top, height } = stage.getBoundingClientRect(), { backgroundColor, color, fontFamily } = getComputedStyle(document.documentElement);
  pen.fillStyle = backgroundColor;
  pen.fillRect(0, 0, PICTURE.width, PICTURE.height);
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  const down = 70 - top + Math.max(0, (PICTURE.high - height) / 2);
  for (const tile of stage.querySelectorAll(".sl-tile")) {
    const place = tile.getBoundingClientRect(), style = getComputedStyle(tile), y = place.y + down;
    if (place.bottom + down > 70 + PICTURE.high) break;
    pen.fillStyle = style.backgroundColor;
    pen.beginPath();
    pen.roundRect(place.x, y, place.width, place.height, parseFloat(style.borderRadius));
    pen.fill();
    pen.font = `500 ${style.fontSize} ${style.fontFamily}`;
    pen.fillStyle = color;
    pen.fillText(tile.textContent, place.x + place.width / 2, y + place.height * 0.53, place.width);
  }
  stage.remove();
  const { run, k, corpus, elsewhere } = player, told = elsewhere?.told ?? "BPE merges learned from this text";
  pen.textAlign = "left";
  pen.font = `600 34px ${fontFamily}`;
  pen.fillText(`${counted(corpus.letters, elsewhere?.unit ?? "letter")} → ${counted(run.tokens[k], "token")} after ${counted(k, "merge")}`, PICTURE.left, 524);
  pen.fillStyle = getComputedStyle(player.from).color;
  pen.font = `400 24px ${fontFamily}`;
  pen.fillText(`${told}  ·  subword-lab`, PICTURE.left, 570);
  return canvas;
}
function savePicture({ currentTarget: button }) {
  picture().toBlob((blob) => {
    const href = URL.createObjectURL(blob);
    make("a", { href, download: "my-tokens.png" }).click();
    setTimeout(() => URL.revokeObjectURL(href), 4000);
    sayOn(button, "Saved");
  });
}
// ---------------------------------------------------------------------------------------------------------- who pays
const shown = (letter) => (letter === " " ? "␣" : letter);
/** The bits of a byte; those that say what kind of byte it is stand out. */
function drawByte(byte) {
  const bits = byte.toString(2).padStart(8, "0"), prefix = byte < 128 ? 1 : bits.indexOf("0") + 1;
  const boxes = Array.from(bits, (bit, i) => make("s", { className: i < prefix ? "prefix" : "", textContent: bit }));
  return make("li", {}, make("span", { className: "bits", ariaHidden: "true" }, ...boxes), byte.toString(16).toUpperCase().padStart(2, "0"));
}
/** One letter, with its code points and their bytes. */
function aboutLetter({ name, lang }, letter) {
  const points = Array.from(letter), told = `${name}: one letter, ${counted(points.length, "code point")}, ${counted(bytesOf(letter).length, "byte")}`;
  const glyph = make("div", { className: "glyph", lang, textContent: shown(letter) });
  const lines = points.flatMap((point) => [make("li", { className: "point", textContent: codePoint(point) }), ...bytesOf(point).map(drawByte)]);
  return [make("div", {}, glyph, make("div", { className: "note", textContent: told })), make("ul", {}, ...lines)];
}
/** One language: its sentence, its price, and a block for every letter with a brick for every byte. */
function billRow(name, lang, text) {
  const letters = graphemes(text), row = { name, lang, letters: letters.length, bytes: bytesOf(text).length, count: make("b"), unit: make("span") };
  const glyphs = letters.map((letter) => make("span", { className: "letter", textContent: letter }));
  row.blocks = letters.map((letter, i) => {
    const bytes = bytesOf(letter);
    const ariaLabel = `${shown(letter)}: ${counted(bytes.length, "byte")}, ${bytes.map((byte) => byte.toString(16)).join(" ")}`;
    const block = make("span", { className: "block", tabIndex: i ? -1 : 0, role: "img", ariaLabel }, ...bytes.map(() => make("i")));
    block.style.setProperty("--i", i);
    return block;
  });
  row.show = (i) => {
    for (const node of at("bill").querySelectorAll(".on")) node.classList.remove("on");
    for (const node of [row.blocks[i], glyphs[i]]) node.classList.add("on");
    at("about").replaceChildren(...aboutLetter(row, letters[i]));
  };
  const ariaLabel = `${name}, ${counted(row.letters, "letter")}, ${counted(row.bytes, "byte")}. Arrow keys go from letter to letter.`;
  const strip = make("div", { className: "strip", role: "group", ariaLabel }, ...row.blocks);
  strip.dataset.ownKeys = "";
  const head = make("div", { className: "head" }, make("span", { className: "sentence", lang }, ...glyphs), make("span", { className: "price" }, row.count, row.unit));
  row.el = make("li", {}, head, strip);
  const look = (target) => {
    const i = Math.max(row.blocks.indexOf(target?.closest(".block")), glyphs.indexOf(target));
    if (i >= 0) row.show(i);
  };
  for (const type of ["pointerover", "pointerdown", "focusin"]) row.el.addEventListener(type, ({ target }) => look(target));
  strip.addEventListener("pointermove", ({ clientX, clientY }) => look(document.elementFromPoint(clientX, clientY))); // under a finger that slides
  strip.addEventListener("keydown", (event) => {
    const i = row.blocks.indexOf(event.target), last = row.blocks.length - 1;
    const to = { ArrowRight: i + 1, ArrowLeft: i - 1, Home: 0, End: last }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    row.blocks[i].tabIndex = -1;
    const block = row.blocks[Math.max(0, Math.min(last, to))];
    block.tabIndex = 0;
    block.focus();
  });
  return row;
}
function drawBill() {
  const bill = at("bill"), rows = SENTENCES.map((sentence) => billRow(...sentence));
  bill.style.setProperty("--most", Math.max(...rows.map((row) => row.bytes)));
  bill.style.setProperty("--english", rows[0].bytes);
  at("langs").append(...rows.map((row) => row.el));
  const count = (unit) => {
    bill.classList.toggle("letters", unit === "letters");
    for (const radio of radios("unit")) radio.checked = radio.value === unit;
    for (const row of rows) {
      for (const block of row.blocks) block.style.setProperty("--width", unit === "letters" ? 1 : block.children.length);
      countTo(row.count, row[unit], 1100);
      row.unit.textContent = row === rows[0] ? ` ${unit}` : ` ${unit}, ${(row[unit] / rows[0][unit]).toFixed(1)} × English`;
    }
  };
  count("letters");
  rows.at(-1).show(0);
  const seen = new IntersectionObserver(([entry]) => { // the bill comes when somebody looks at it
    if (!entry.isIntersecting) return;
    seen.disconnect();
    setTimeout(() => count("bytes"), moves() ? 900 : 0);
  }, { threshold: 0.55 });
  seen.observe(at("langs"));
  for (const radio of radios("unit")) radio.onchange = () => { seen.disconnect(); count(radio.value); };
}
// ------------------------------------------------------------------------------------------------------------- start
const ENGLISH = {
  told: "BPE merges learned from 164,851 words of English Wikipedia",
  learned: readMerges(at("english").textContent),
  often: (pair) => `${counted(pair.count, "time")} in English Wikipedia`,
};
const player = new MergePlayer(at("player"), {
  trainings: { elsewhere: ENGLISH },
  changed: ({ elsewhere, trainings }) => {
    const source = Object.keys(trainings).find((name) => trainings[name] === elsewhere) ?? "own";
    for (const radio of radios("source")) radio.checked = radio.value === source;
    at("player").querySelector(".sl-caption").textContent = elsewhere?.caption ?? "Neighbors, and how often they meet";
  },
});
/** GPT-4o's merges come when somebody asks for them, as a script: a page opened from a disk may load nothing else. */
function loadVocabulary() {
  return new Promise((resolve, reject) => {
    window.takeVocabulary = (pattern, tokens) => {
      const ids = new Map(tokens.split("\n").map((token, id) => [token, { rank: id - 256, count: id - 255 }]));
      player.trainings.gpt4o = {
        told: "The merges of GPT-4o's vocabulary", caption: "Neighbors, and which of GPT-4o's merges joins them", unit: "byte",
        learned: { size: ids.size - 256, get: (pair) => ids.get(pair.replace(" ", "")) },
        corpusOf: (text) => corpusBy(text, new RegExp(pattern, "gu"), bytesAsLetters), textOf: lettersAsText,
      };
      resolve();
    };
    document.head.append(make("script", { src: "gpt4o.js", onerror: reject }));
  });
}
let loading = null;
/** Show what the field holds. While the vocabulary is on its way, the text or the choice may become another. */
async function read(options) {
  player.source = options?.source ?? player.source;
  player.wanted ||= options?.wanted;
  try {
    if (player.source === "gpt4o") await (loading ??= loadVocabulary());
    player.read(whole(field.value), { ...options, source: player.source });
    keepInAddress();
  } catch {
    [player.source, loading] = ["", null];
    player.said.textContent = "GPT-4o's vocabulary could not be loaded: the network is away, or this site was built without it.";
  }
}
function put(text, options) {
  field.value = text;
  read(options);
}
field.addEventListener("input", () => read());
field.addEventListener("keydown", (event) => {
  if (event.key === "Escape") player.buttons.play.focus();
  if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  player.wanted = true;
  player.play();
});
for (const chip of document.querySelectorAll(".chips button")) chip.onclick = () => put(chip.value || chip.textContent, { source: "", wanted: true });
for (const radio of radios("source")) radio.onchange = () => read({ source: radio.value, wanted: true });
at("copy").onclick = copyLink;
at("save").onclick = savePicture;
addEventListener("resize", () => { player.stage.style.minHeight = ""; });
addEventListener("hashchange", () => {
  const asked = fromAddress();
  if (asked && asked.text !== player.text) put(asked.text, asked);
});
player.use();
drawBill();
const asked = fromAddress();
put(asked?.text || field.defaultValue, { source: asked?.source || "", wait: 1400 });
