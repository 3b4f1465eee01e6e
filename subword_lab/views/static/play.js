// Draws a playground: the form, and the regions of HTML that the kernel makes of what stands in its fields. It computes nothing.
import PLAY from "./play.html";
import { endedIn, follow, keepKeys, make, rove, whenPointed } from "./widget.js";
export default {
  render({ model, el }) {
    const regions = {}, title = model.get("title");
    const root = make("div", { className: "sl-play mathjax_ignore", role: "group", ariaLabel: title, innerHTML: PLAY });
    const [heading, form, status, body, aloud] = root.children;
    heading.textContent = title;
    form.innerHTML = model.get("form");
    const fields = [...form.querySelectorAll("[name]")], followed = form.querySelector("[data-followed]");
    let waiting;
    const send = () => {
      const values = { ...model.get("values"), caret: followed?.selectionStart };
      for (const field of fields) values[field.name] = { checkbox: field.checked, textarea: field.value }[field.type] ?? (field.valueAsNumber || 0);
      try {
        model.set("values", values);
        model.save_changes();
      } catch {
        end();
      }
    };
    const end = () => endedIn(root, status);
    const drawRegion = (name, html) => {
      const region = regions[name] ??= body.insertBefore(make("div", { className: `sl-region sl-in-${name}` }), regions.counts ?? null); // the counts are last
      if (region.drawn === html) return;
      const focus = region.contains(document.activeElement);
      region.innerHTML = region.drawn = html;
      reach();
      if (focus) (region.querySelector("[tabindex='0']") ?? fields[0]).focus();
    };
    const draw = () => {
      const shown = model.get("shown");
      Object.keys({ ...regions, ...shown.regions }).forEach(name => drawRegion(name, shown.regions[name] ?? ""));
      if (root.matches(".sl-ended")) return;
      status.textContent = shown.status;
      status.classList.toggle("sl-is-bad", Boolean(shown.wrong));
      clearTimeout(waiting);
      waiting = setTimeout(() => { aloud.textContent = shown.status; }, 700); // when the typing pauses
    };
    const count = () => form.querySelectorAll("output").forEach(told => { told.textContent = told.previousElementSibling.value; });
    const write = () => {
      for (const field of fields) if (field !== document.activeElement) field[field.type === "checkbox" ? "checked" : "value"] = model.get("values")[field.name];
      count();
    };
    // What stands for the same characters lights up together; of such parts one at a time takes the focus, by arrow keys.
    const spans = () => [...body.querySelectorAll("[data-span]")];
    const reach = rove(body, spans);
    const light = part => {
      const placeOf = ({ dataset }) => dataset.span.split(" ").map(Number), [start, end] = part ? placeOf(part) : [-1, -1];
      for (const other of spans()) other.classList.toggle("sl-linked", placeOf(other)[0] < end && start < placeOf(other)[1]);
    };
    whenPointed(body, part => light(part?.closest("[data-span]")));
    keepKeys(root);
    form.oninput = () => {
      count();
      send();
    };
    if (followed) followed.onselectionchange = followed.onkeyup = followed.onclick = () => {
      if (followed.selectionStart !== model.get("values").caret) send();
    };
    write();
    draw();
    el.append(root);
    return follow(model, { "change:shown": draw, "change:values": write, comm_live_update: end });   // once alive, it only ever ends
  },
};
