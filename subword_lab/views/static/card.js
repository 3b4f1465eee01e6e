import CARD from "./card.html";
import ANSWER from "./answer.html";
import { endedIn, follow, keepKeys, make } from "./widget.js";
// Draws an exercise from the trait `shown`, and sends what is pressed, with the answer as it stands at that moment.
// What is typed outlives the card: a cell that is run again, a page that is loaded again.
let kept = {};
try { kept = sessionStorage; } catch { /* this page keeps nothing */ }
const WAITING = "Waiting for the notebook's kernel. It may be busy with another cell. If it was restarted, run this cell again.";
const letterOf = i => String.fromCharCode(97 + i);
const typedInto = field => field.dispatchEvent(new Event("input", { bubbles: true }));
// Each puts a field named `answer` into the form; what it returns is called when the answer has become another.
const fields = {
  none(place, { form }) { place.innerHTML = `<p>${form}</p>`; },
  code(place, { form }) {
    const area = make("textarea", { name: "answer", value: form, rows: 8, spellcheck: false, autocapitalize: "off" });
    place.replaceChildren(make("label", { innerHTML: '<span class="sl-name">Your code</span>' }, area));
  },
  choice(place, { items }) {
    const options = items.map((item, i) => `<label class="sl-option">
      <input type="radio" name="answer" value="${letterOf(i)}"><b>${letterOf(i)}.</b><span>${item}</span></label>`);
    place.innerHTML = `<fieldset><legend>Your answer</legend>${options.join("")}</fieldset>`;
  },
  text(place, { form }) {
    place.innerHTML = ANSWER;
    const told = place.lastElementChild.textContent = `In this form: ${form}`;
    place.querySelector("input").setAttribute("aria-description", told);
  },
  order(place, shown) {                                     // an item that is pressed joins the order, or leaves it
    fields.text(place, shown);
    const answer = place.querySelector("input"), order = () => answer.value.split(/[\s,>]+/).filter(Boolean);
    const buttons = shown.items.map((item, i) => `<button type="button" value="${letterOf(i)}"><b>${letterOf(i)}.</b> ${item}</button>`);
    const row = make("div", { className: "sl-row", innerHTML: buttons.join("") }), items = [...row.children];
    place.append(row);
    row.onclick = ({ target }) => {
      const item = target.closest("button"), others = order().filter(letter => letter !== item?.value);
      if (!item) return;
      answer.value = (others.length < order().length ? others : [...others, item.value]).join(" ");
      typedInto(answer);
      item.focus();                                         // which it has lost where it moved
    };
    return () => {                                          // what is in the order stands in front, as it is ordered
      const at = item => order().indexOf(item.value) + 1 || items.length + 1;
      items.forEach(item => item.setAttribute("aria-pressed", order().includes(item.value)));
      row.append(...items.toSorted((one, other) => at(one) - at(other)));
    };
  },
};
export default {
  render({ model, el }) {
    let shown, waiting, changed;
    const root = make("div", { className: "sl-card", role: "group", innerHTML: CARD });
    const form = root.firstElementChild, [deck, header, question, place, buttons, told, noted] = form.children;
    const [title, about, standing] = header.children, [check, hint, , , next] = buttons.children;
    const answer = () => form.elements.answer?.value ?? "", key = () => `subword-lab/${shown.key}`;
    const tell = text => told.replaceChildren(make("p", { className: "sl-small", textContent: text }));
    const end = () => endedIn(root, told);
    const ask = what => {
      if (what === "hint" && hint.getAttribute("aria-disabled") === "true") return;
      clearTimeout(waiting);
      waiting = setTimeout(tell, 1500, WAITING);
      try {
        model.send({ do: what, turn: shown.turn, key: shown.key, answer: answer() });
      } catch {
        clearTimeout(waiting);
        end();
      }
    };
    form.onsubmit = event => {                              // by a button, or by Enter, which presses the first
      event.preventDefault();
      ask(event.submitter.value);
    };
    place.oninput = () => {
      kept[key()] = answer();
      changed?.();
    };
    const drawQuestion = () => {
      header.hidden = question.hidden = place.hidden = buttons.hidden = !shown.key;      // at the end of a deck
      root.setAttribute("aria-label", shown.key ? `Exercise ${shown.id}: ${shown.title}` : "Practice");
      title.textContent = `${shown.id} · ${shown.title}`;
      about.textContent = shown.about;
      question.innerHTML = shown.question;
      changed = fields[shown.field](place, shown);
      if (kept[key()]) form.elements.answer.value = kept[key()];
      changed?.();
      check.hidden = shown.field === "none";
      noted.replaceChildren();
    };
    const drawFeedback = () => {
      const said = shown.feedback;
      if (!said) return told.replaceChildren();
      const html = `<b>${said.symbol} ${said.word}</b><div>${said.message}</div>`;
      const box = make("div", { className: `sl-told sl-is-${said.tone}`, innerHTML: html });
      if (said.details) box.append(make("details", { innerHTML: `<summary>Details</summary><div>${said.details}</div>` }));
      if (said.note) box.append(make("p", { textContent: said.note }));
      told.replaceChildren(box);
      if (said.tone === "good") kept[key()] = "";
    };
    const drawNotes = () => {                               // new ones alone, for these are read aloud
      noted.append(...shown.notes.slice(noted.children.length).map(({ title, html }) =>
        make("div", { className: "sl-noted sl-is-note" }, make("b", { textContent: title }), make("div", { innerHTML: html }))));
      hint.setAttribute("aria-disabled", shown.notes.filter(({ title }) => title.startsWith("Hint")).length >= shown.hints);
    };
    const draw = () => {
      const before = shown;
      shown = model.get("shown");
      standing.textContent = shown.standing;
      deck.textContent = shown.deck ? `Practice: ${shown.deck}` : "";
      next.hidden = !shown.deck;
      if (before?.key !== shown.key) drawQuestion();
      if (before?.reply === shown.reply) return;
      clearTimeout(waiting);
      drawFeedback();
      drawNotes();
      if (before && before.key !== shown.key && !shown.feedback) tell(before.id === shown.id ? "New figures." : "");
    };
    keepKeys(root);
    draw();
    el.append(root);
    return follow(model, { "change:shown": draw, comm_live_update: end });     // once alive, it only ever ends
  },
};
