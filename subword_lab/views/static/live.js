// A tokenizer playground without a kernel: what somebody types is encoded here. On a page to read, the address holds it, to be shared.
import { encoderOf } from "./encoding.js";
import { codePoint, counted, lettersAsText } from "./merging.js";
import { define, keptInAddress, make } from "./widget.js";
import playground from "./play.js";
const UNKNOWN = /^(\[UNK\]|<unk>)$/, MOST = 5000, DRAWN = 500; // characters of a text, and its tokens that are drawn
const COLORS = "sl-c0 sl-c1 sl-c2 sl-c3 sl-c4 sl-c5 sl-c6 sl-c7 sl-c8 sl-c9".split(" ");
const escaped = text => make("i", { textContent: text }).innerHTML;
const pointed = letter => `‹${codePoint(letter)}›`;
function strip(tokens) {
  let last, paint;
  const boxes = tokens.slice(0, DRAWN).map(token => {
    const own = [...token].reduce((sum, letter) => sum + letter.codePointAt(), 3) % 10;
    if (token !== last) [last, paint] = [token, own === paint ? (own + 1) % 10 : own]; // different neighbors are never alike
    const look = UNKNOWN.test(token) ? "sl-unknown" : COLORS[paint], face = token.replaceAll(" ", "␣").replace("\n", "↵").replace(/^[\p{C}\s]$/u, pointed);
    return `<code class="sl-token ${look}">${escaped(face)}</code>`;
  }).join(" ");
  return `<span class="sl-tokens">${boxes}</span>`;
}
function answered(encoders, { text, price }) {
  const string = text.toWellFormed().slice(0, MOST), letters = [...string].length, words = string.match(/\S+/gu)?.length ?? 0;
  const all = encoders.map(({ name, encode }) => ({ name, tokens: encode(string) }));
  const counts = all.map(({ name, tokens }) => `${name}: ${counted(tokens.length, "token")}`).join("; ");
  const told = ({ length }) => `${(length * price / 1000).toFixed(3)} for 1,000 such texts; ${(length / (words || 1)).toFixed(2)} tokens a word` +
    (length > DRAWN ? `; the first ${DRAWN} are drawn` : "");
  return {
    status: `${counted(letters, "character")}. ${counts}.${text.length > MOST ? " What is longer is left out." : ""}`,
    // Apart, for what is typed behind the tokens that are drawn changes the numbers alone.
    regions: { ...all.flatMap(({ name, tokens }) => [`<p><b>${escaped(name)}</b> <small>${told(tokens)}</small></p>`, strip(tokens)]) },
  };
}
const { reader } = document.documentElement.dataset;
let library;
/** An encoder from what a tokenizer.json holds, by a library whose script the site has. */
async function readerOf(content) {
  library ??= new Promise((onload, onerror) => document.head.append(make("script", { src: reader, onload, onerror })));
  await library;
  const tokenizer = new window.HuggingFace.Tokenizer(content, {}), texts = new Map();
  const read = id => {
    const text = tokenizer.decode([id]);
    return text.includes("\ufffd") ? lettersAsText([...tokenizer.id_to_token(id)]) : text || tokenizer.id_to_token(id);
  };
  return text => tokenizer.encode(text).ids.map(id => texts.get(id) ?? texts.set(id, read(id)).get(id));
}
define("subword-playground", async (el, { title, form, values, encoders }) => {
  if (!reader && encoders.some(({ file }) => file)) return; // only the kernel can read it here
  const address = keptInAddress(el, "text");
  for (const encoder of encoders) encoder.encode = encoder.file ? await readerOf(encoder.file) : encoderOf(encoder);
  values.text = address.kept ?? values.text;
  const state = { title, form, values, shown: answered(encoders, values) };
  const model = {
    get: name => state[name],
    set(_, typed) {
      if (typed.text !== state.values.text) address.keep(typed.text);
      Object.assign(state, { values: typed, shown: answered(encoders, typed) });
    },
    on: (change, draw) => { if (change === "change:shown") model.save_changes = draw; },
  };
  playground.render({ el, model });
  if (!reader) return;
  const opener = make("input", { type: "file", accept: ".json" });
  opener.onchange = async () => {
    const [file] = opener.files;
    try {
      const own = { name: file.name, encode: await readerOf(JSON.parse(await file.text())) };
      state.shown = answered([...encoders, own], state.values);
      encoders.push(own);
    } catch ({ message = "the page's library is missing." }) {
      state.shown = { ...state.shown, wrong: true, status: `${file.name} cannot be read: ${message}` };
    }
    model.save_changes();
  };
  const label = make("span", { className: "sl-name", textContent: "Add a tokenizer.json of your own" });
  el.querySelector(".sl-form").append(make("label", { className: "sl-field" }, label, opener));
});
