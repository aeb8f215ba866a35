// How large that is which lies in a box: as large as there is room, box by box. `--fit` of a box is 1
// for what is large (dealer.css), 0 for what still can be read. Where even that is too much, the
// dealer's hand gives way; then texts may break anywhere, and in the end the box scrolls.

const STEPS = [1, 0.75, 0.5, 0.25, 0];

const isWide = (one) => one.scrollWidth > one.clientWidth + 1;
const isFull = (box) => isWide(box) || box.scrollHeight > box.clientHeight + 1 || [...box.querySelectorAll(".hand, .tick")].some(isWide);

function crowd(box, crowded) {
  box.classList.toggle("crowded", crowded);
  if (crowded) box.tabIndex = 0;
  else box.removeAttribute("tabindex");
}

// Each step lays the felt out once, and mostly the first is enough.
function fit(felt) {
  const boxes = [...felt.querySelectorAll(".box")];
  let full = boxes;
  for (const one of boxes) crowd(one, false);
  for (const dealers of [1, 0]) {
    felt.querySelector(".dealer").style.setProperty("--fit", dealers);
    full = boxes;
    for (const step of STEPS) {
      for (const one of full) one.style.setProperty("--fit", step);
      full = full.filter(isFull);
      if (!full.length) return;
    }
  }
  for (const one of full) crowd(one, true);
}

// Fit what is drawn; also as the screen turns.
export const fitAll = () => document.querySelectorAll(".felt").forEach(fit);
addEventListener("resize", fitAll);
