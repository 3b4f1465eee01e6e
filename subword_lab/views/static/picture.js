/* A picture to share: the tiles that a player's stage shows, as large as they fit above two lines that tell what they are. */
import { number } from "./merging.js";
import { make } from "./widget.js";
/** paper: the element whose colors the picture has. told: what stands in its last line. */
export function savePicture(player, paper, told) {
  const { run, k, stage, line, from } = player, width = 1200, height = 630, left = 80, top = 60, fits = [1040, 400];
  const canvas = make("canvas", { width, height }), pen = canvas.getContext("2d"), range = new Range();
  range.selectNodeContents(line);
  const lines = range.getBoundingClientRect();
  const { backgroundColor, color, fontFamily } = getComputedStyle(paper);
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
  Object.assign(pen, { textAlign: "left", font: `600 34px ${fontFamily}` });
  pen.fillText(`${number(run.tokens[k])} ${from.textContent}`, left, 524);
  Object.assign(pen, { fillStyle: getComputedStyle(from).color, font: `400 24px ${fontFamily}` });
  pen.fillText(`${told}  ·  subword-lab`, left, 570);
  make("a", { href: canvas.toDataURL(), download: "my-tokens.png" }).click();
}
