/* The front page: a text of one's own, merged; what the same sentence costs in four languages; a link and a picture to share. */
import { bytesAsLetters, corpusBy, counted, lettersAsText, readMerges } from "./merging.js";
import { countTo, moves } from "./motion.js";
import { MergePlayer } from "./merge_player.js";
import { make, rove } from "./widget.js";
const MOST = 5000; // characters of a text, in the field and in a link
const at = (id) => document.getElementById(id);
const radios = (name) => Array.from(document.getElementsByName(name));
const field = at("text");
/** A text as links can hold it: whole characters, at most MOST of them. */
const whole = (text) => text.toWellFormed().replace(/\r\n?/g, "\n").slice(0, MOST).replace(/[\ud800-\udbff]$/, "");
const linkOf = ({ text, source }) => `#t=${encodeURIComponent(whole(text))}${source ? `&by=${source}` : ""}`;
/** What the address asks for; null where it asks for nothing that can be read. */
function fromAddress() {
  const asked = new URLSearchParams(location.hash.slice(1)), text = asked.get("t") ?? "\ufffd", by = asked.get("by");
  return text.includes("\ufffd") ? null : { text: whole(text), source: ["own", "elsewhere", "gpt4o"].includes(by) ? by : "" }; // it stands for a broken escape
}
let keeping = 0;
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
  Object.assign(pen, { fillStyle: backgroundColor, textAlign: "center", textBaseline: "middle" });
  pen.fillRect(0, 0, PICTURE.width, PICTURE.height);
  const down = 70 - top + Math.max(0, (PICTURE.high - height) / 2);
  for (const tile of stage.querySelectorAll(".sl-tile")) {
    const place = tile.getBoundingClientRect(), style = getComputedStyle(tile), y = place.y + down;
    if (place.bottom + down > 70 + PICTURE.high) break;
    pen.fillStyle = style.backgroundColor;
    pen.beginPath();
    pen.roundRect(place.x, y, place.width, place.height, parseFloat(style.borderRadius));
    pen.fill();
    Object.assign(pen, { fillStyle: color, font: `500 ${style.fontSize} ${style.fontFamily}` });
    pen.fillText(tile.textContent, place.x + place.width / 2, y + place.height * 0.53, place.width);
  }
  stage.remove();
  const { run, k, corpus, elsewhere } = player, told = elsewhere?.told ?? "BPE merges learned from this text";
  Object.assign(pen, { textAlign: "left", font: `600 34px ${fontFamily}` });
  pen.fillText(`${counted(corpus.letters, elsewhere?.unit ?? "letter")} → ${counted(run.tokens[k], "token")} after ${counted(k, "merge")}`, PICTURE.left, 524);
  Object.assign(pen, { fillStyle: getComputedStyle(player.from).color, font: `400 24px ${fontFamily}` });
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
/** Mark a letter and its block, and tell its code points and their bytes. */
function tell(block, letter) {
  for (const node of at("bill").querySelectorAll(".on")) node.classList.remove("on");
  for (const node of [block, letter]) node.classList.add("on");
  at("about").replaceChildren(block.querySelector("template").content.cloneNode(true));
}
/** In the row of a language, tell the letter pointed at, also under a finger that slides; arrow keys go from letter to letter. */
function explore(row) {
  const strip = row.querySelector(".strip"), blocks = Array.from(strip.children), letters = Array.from(row.querySelectorAll(".letter"));
  const look = (target) => {
    const i = Math.max(blocks.indexOf(target?.closest(".block")), letters.indexOf(target));
    if (i >= 0) tell(blocks[i], letters[i]);
  };
  for (const type of ["pointerover", "pointerdown", "focusin"]) row.addEventListener(type, ({ target }) => look(target));
  strip.addEventListener("pointermove", ({ clientX, clientY }) => look(document.elementFromPoint(clientX, clientY)));
  rove(strip, () => blocks);
}
/** Count in letters or in bytes. */
function count(unit) {
  at("bill").classList.toggle("letters", unit === "letters");
  for (const radio of radios("unit")) radio.checked = radio.value === unit;
  const [english] = at("langs").children;
  for (const row of at("langs").children) {
    const times = row === english ? "" : `, ${(row.dataset[unit] / english.dataset[unit]).toFixed(1)} × English`;
    countTo(row.querySelector(".price b"), Number(row.dataset[unit]), 1100);
    row.querySelector(".price span").textContent = ` ${unit}${times}`;
  }
}
function startBill() {
  const rows = Array.from(at("langs").children);
  rows.forEach(explore);
  count("letters");
  tell(rows.at(-1).querySelector(".block"), rows.at(-1).querySelector(".letter"));
  const seen = new IntersectionObserver(([entry]) => { // the bill comes when somebody looks at it
    if (!entry.isIntersecting) return;
    seen.disconnect();
    setTimeout(() => count("bytes"), moves() ? 900 : 0);
  }, { threshold: 0.55 });
  seen.observe(at("langs"));
  for (const radio of radios("unit")) radio.onchange = () => { seen.disconnect(); count(radio.value); };
}
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
    clearTimeout(keeping);
    keeping = setTimeout(() => history.replaceState(null, "", linkOf(player)), 400);
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
startBill();
const asked = fromAddress();
put(asked?.text || field.defaultValue, { source: asked?.source || "", wait: 1400 });
