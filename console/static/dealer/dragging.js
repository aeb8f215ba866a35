// A card dragged by finger or mouse from where the screen has it to where it lay: any element with
// `data-card` to any with `data-place`.

const LEAST_PX = 12; // less is a touch that trembles

// Have cards under `root` dragged; `dropped` gets number and place.
export function dragging(root, dropped) {
  let held = null;

  function down(event) {
    const card = event.target.closest?.("[data-card]");
    if (!card || held) return;
    held = { card, id: event.pointerId, x: event.clientX, y: event.clientY, moved: false };
  }

  function move(event) {
    if (event.pointerId !== held?.id) return;
    const [dx, dy] = [event.clientX - held.x, event.clientY - held.y];
    held.moved ||= Math.hypot(dx, dy) >= LEAST_PX;
    if (!held.moved) return;
    held.card.classList.add("dragged");
    held.card.style.transform = `translate(${dx}px, ${dy}px)`;
    mark(placeUnder(event));
  }

  const placeUnder = (event) =>
    document.elementsFromPoint(event.clientX, event.clientY).find((one) => one !== held.card && one.dataset.place !== undefined);

  function mark(place) {
    for (const one of root.querySelectorAll(".drop")) if (one !== place) one.classList.remove("drop");
    place?.classList.add("drop");
  }

  function up(event) {
    if (event.pointerId !== held?.id) return;
    const { card, moved } = held;
    const place = moved && event.type === "pointerup" ? placeUnder(event) : undefined;
    card.classList.remove("dragged");
    card.style.transform = "";
    mark(undefined);
    held = null;
    if (place) dropped(Number(card.dataset.card), place.dataset.place);
  }

  const listeners = { pointerdown: down, pointermove: move, pointerup: up, pointercancel: up };
  for (const [name, listener] of Object.entries(listeners)) root.addEventListener(name, listener);
}
