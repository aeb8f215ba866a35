// What of a page is cut off, covered, outside its frame or too small for a finger, in words. Text under
// a dialog (inert) is not looked at, nor what somebody scrolls to in a part that scrolls by
// itself, as a box where letters are larger.
([least, reads]) => {
  const within = (rect, room) => rect.left >= room.left - 1 && rect.right <= room.right + 1 &&
    rect.top >= room.top - 2 && rect.bottom <= room.bottom + 2;
  const named = (one) => `${one.tagName.toLowerCase()}.${one.className} "${one.textContent.trim().replace(/\s+/g, " ").slice(0, 60)}"`;
  const scrolls = (one) => ["auto", "scroll"].includes(getComputedStyle(one).overflowY);
  const clear = (one) => {
    const { backgroundColor: color, backgroundImage: image } = getComputedStyle(one);
    return image === "none" && /^(transparent|rgba\(.*, 0\))$/.test(color);
  };
  const screen = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
  const found = new Set();
  if (!reads && document.documentElement.scrollHeight > innerHeight)
    found.add(`the page scrolls: ${document.documentElement.scrollHeight} high, its screen ${innerHeight}`);
  const grown = Number(getComputedStyle(document.documentElement).getPropertyValue("--size")) > 1;
  for (const part of document.querySelectorAll(grown ? ".doing" : ".doing, .box"))
    if (!part.closest("[inert]") && part.scrollHeight > part.clientHeight + 2) found.add(`it scrolls: ${named(part)}`);
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode, own = text.parentElement;
    if (!text.data.trim() || !own.checkVisibility() || own.closest("[inert], .unseen, svg")) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    const rects = [...range.getClientRects()].filter((rect) => rect.width > 0);
    if (!rects.length) continue;
    let scroller = null;
    for (let one = own; one !== document.body && one !== null; one = one.parentElement) {
      const style = getComputedStyle(one);
      if (scrolls(one) && one.scrollHeight > one.clientHeight + 1) { scroller = one; break; }
      const frames = style.overflowX !== "visible" || !clear(one) || parseFloat(style.borderTopWidth) > 0;
      if (frames && style.display !== "inline" && !rects.every((rect) => within(rect, one.getBoundingClientRect())))
        found.add(`it leaves its ${one.className || one.tagName}: ${named(own)}`);
    }
    if (scroller || (reads && !rects.every((rect) => within(rect, screen)))) continue;
    if (!rects.every((rect) => within(rect, screen))) { found.add(`outside: ${named(own)}`); continue; }
    for (const rect of reads ? [] : rects) {
      const x = rect.left + rect.width / 2, y = rect.top + rect.height / 2;
      for (const over of document.elementsFromPoint(x, y)) {
        if (over === own || over.contains(own) || own.contains(over)) break;
        if (!clear(over)) { found.add(`covered by ${over.className || over.tagName}: ${named(own)}`); break; }
      }
    }
  }
  for (const key of document.querySelectorAll("button")) {
    const { width, height } = key.getBoundingClientRect();
    if (!key.checkVisibility() || key.closest("[inert]") || key.matches(".title button, button.card") || width === 0) continue;
    if (width < least || height < least) found.add(`${Math.round(width)} by ${Math.round(height)}: ${named(key)}`);
  }
  return [...found];
}
