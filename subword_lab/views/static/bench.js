/* A player with a field of its own: what the trainer, the compressor, and the count of work have in common. */
import BENCH from "./bench.html";
import { MergePlayer } from "./merge_player.js";
import { savePicture } from "./picture.js";
import { fill, keepTyped } from "./widget.js";
export class Bench extends MergePlayer {
  /** settings: the title, the `text` at first and what stands above it, how many `merges` are shown, and how long a text may be. */
  constructor(owner, settings) {
    const parts = fill(owner, BENCH, settings.title);
    super(parts.player, { owner });
    Object.assign(this, parts, { settings, aim: settings.merges, wanted: false });
    this.label.textContent = settings.label;
    this.save.addEventListener("click", () => savePicture(this, owner, settings.title));
    keepTyped(this.area, owner, settings.key, settings.text, () => this.readAgain());
  }
  readAgain() {
    this.read(this.area.value.slice(0, this.settings.longest).toWellFormed());
  }
  show(k, ms) {
    super.show(k, ms);
    this.aim = k; // though a text on the way may have fewer merges
    this.left = this.area.value.length > this.settings.longest ? " What is longer is left out." : "";
  }
}
