/* The front page: a text of one's own, merged; what the same sentence costs in four languages; a link and a picture to share. */
import { bytesAsLetters, corpusBy, counted, lettersAsText, readMerges } from "./merging.js";
import { moves } from "./motion.js";
import { MergePlayer } from "./merge_player.js";
import { keptInAddress, make, rove } from "./widget.js";
const MOST = 5000; // characters of a text, in the field and in a link
const at = (id) => document.getElementById(id);
const radios = (name) => Array.from(document.getElementsByName(name));
const field = at("text");
/** A text as links can hold it: whole characters, at most MOST of them. */
const whole = (text) => text.toWellFormed().replace(/\r\n?/g, "\n").slice(0, MOST).replace(/[\ud800-\udbff]$/, "");
const address = { text: keptInAddress(field, "t"), source: keptInAddress(field, "by") };
/** Say something on a button for a moment. */
function sayOn(button, words) {
  button.textContent = words;
  setTimeout(() => { button.textContent = button.value; }, 1800);
}
function copyLink({ currentTarget: button }) {
  const link = new URL(`#${new URLSearchParams({ t: player.text, by: player.source })}`, location);
  const copied = navigator.clipboard?.writeText(link) ?? Promise.reject(); // only a safe page has one
  copied.then(() => sayOn(button, "Copied"), () => sayOn(button, "It is in the address bar"));
}
/** What the stage shows, as large as it fits above two lines that tell what it is. */
function picture() {
  const { run, k, corpus, elsewhere, stage, line, from } = player, width = 1200, height = 630, left = 80, top = 60, fits = [1040, 400];
  const canvas = make("canvas", { width, height }), pen = canvas.getContext("2d"), range = new Range();
  range.selectNodeContents(line);
  const lines = range.getBoundingClientRect();
  const { backgroundColor, color, fontFamily } = getComputedStyle(document.documentElement);
  const scale = Math.min(fits[0] / lines.width, fits[1] / Math.min(lines.height, stage.clientHeight), 2);
  player.ring("sl-next"); // a picture has no mark
  pen.fillStyle = backgroundColor;
  pen.fillRect(0, 0, width, height);
  pen.setTransform(scale, 0, 0, scale, left - lines.left * scale, top - lines.top * scale);
  for (const tile of line.querySelectorAll(".sl-tile")) {
    const place = tile.getBoundingClientRect(), style = getComputedStyle(tile);
    if ((place.bottom - lines.top) * scale > fits[1] + 1) break;
    pen.fillStyle = style.backgroundColor;
    pen.beginPath();
    pen.roundRect(place.x, place.y, place.width, place.height, parseFloat(style.borderRadius));
    pen.fill();
    Object.assign(pen, { fillStyle: color, font: `500 ${style.fontSize} ${style.fontFamily}`, textAlign: "center", textBaseline: "middle" });
    pen.fillText(tile.textContent, place.x + place.width / 2, place.y + place.height * 0.53, place.width);
  }
  pen.resetTransform();
  player.ring("sl-next", run.steps[k]);
  const counts = `${counted(corpus.letters, elsewhere?.unit ?? "letter")} → ${counted(run.tokens[k], "token")} after ${counted(k, "merge")}`;
  Object.assign(pen, { textAlign: "left", font: `600 34px ${fontFamily}` });
  pen.fillText(counts, left, 524);
  Object.assign(pen, { fillStyle: getComputedStyle(from).color, font: `400 24px ${fontFamily}` });
  pen.fillText(`${elsewhere?.told ?? "BPE merges learned from this text"}  ·  subword-lab`, left, 570);
  return canvas;
}
function savePicture({ currentTarget: button }) {
  make("a", { href: picture().toDataURL(), download: "my-tokens.png" }).click();
  sayOn(button, "Saved");
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
function startBill() {
  const rows = Array.from(at("langs").children);
  rows.forEach(explore);
  tell(rows.at(-1).querySelector(".block"), rows.at(-1).querySelector(".letter"));
  const seen = new IntersectionObserver(([entry]) => { // the bill comes when somebody looks at it
    if (!entry.isIntersecting) return;
    seen.disconnect();
    setTimeout(() => radios("unit")[1].click(), moves() ? 900 : 0);
  }, { threshold: 0.55 });
  seen.observe(at("langs"));
  for (const radio of radios("unit")) radio.onchange = () => seen.disconnect();
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
    address.text.keep(player.text);
    address.source.keep(player.source);
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
addEventListener("hashchange", () => /\bt=/.test(location.hash) && location.reload());
startBill();
const { kept } = address.text, { kept: source } = address.source;
const isWhole = kept && !kept.includes("\ufffd"); // which stands for a broken escape
put(isWhole ? whole(kept) : field.defaultValue, { source: ["own", "elsewhere", "gpt4o"].includes(source) ? source : "", wait: 1400 });
