// Sees every few seconds whether the room is asked something else, or the right answer is shown, and goes there.
const { mark } = document.body.dataset;
if (mark !== "-") setInterval(async () => {
  const reply = await fetch("answer").catch(() => null);
  if (!reply?.ok) return;
  const page = new DOMParser().parseFromString(await reply.text(), "text/html");
  if (page.body.dataset.mark !== mark) location.replace("answer");
}, 3000);
