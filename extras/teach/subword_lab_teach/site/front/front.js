/* The front page: a text of one's own, merged; what the same sentence costs in four languages; a link and a picture to share. */
import { bytesAsLetters, corpusBy, counted, lettersAsText, readMerges } from "./merging.js";
import { moves } from "./motion.js";
import { MergePlayer } from "./merge_player.js";
import { savePicture } from "./picture.js";
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
at("save").onclick = ({ currentTarget: button }) => {
  savePicture(player, document.documentElement, player.elsewhere?.told ?? "BPE merges learned from this text");
  sayOn(button, "Saved");
};
addEventListener("resize", () => { player.stage.style.minHeight = ""; });
addEventListener("hashchange", () => /\bt=/.test(location.hash) && location.reload());
startBill();
const { kept } = address.text, { kept: source } = address.source;
const isWhole = kept && !kept.includes("\ufffd"); // which stands for a broken escape
put(isWhole ? whole(kept) : field.defaultValue, { source: ["own", "elsewhere", "gpt4o"].includes(source) ? source : "", wait: 1400 });
