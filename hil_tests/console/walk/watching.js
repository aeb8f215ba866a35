// Laid around a page of the console before it loads: what it showed whenever a finger came down, what it
// has sent since and what came back; and where a finger finds something, once it may be tapped.

(() => {
  const PATIENCE_MS = 20000;
  const LOOK_MS = 10;
  const CLICK_MS = 2000;
  const downs = [];
  const sent = [];
  const found = (selector) => [...document.querySelectorAll(selector)].filter((one) => one.checkVisibility());
  const words = (one) => (one?.textContent ?? "").replace(/\s+/g, " ").trim();
  const moment = () => new Promise((done) => setTimeout(done, LOOK_MS)); // frame by frame the page would starve

  function look() {
    const whole = document.querySelector(".whole");
    return {
      at: whole ? Number(whole.dataset.at) : null,
      overlay: document.querySelector(".overlay") !== null,
      seated: document.querySelector(".another") === null,
      cards: found(".felt .card").map((one) => one.getAttribute("aria-label")).join(" "),
      fixing: document.querySelector(".fixing") !== null,
      keys: found(".keys [data-command]").map((one) => one.dataset.command),
      says: words(document.querySelector(".prompt .says")),
    };
  }

  const named = (one) => {
    const data = Object.entries(one?.dataset ?? {}).map(([key, value]) => `${key}=${value}`).join(" ");
    return `${one?.localName ?? "nothing"} ${data || words(one).slice(0, 40)}`;
  };

  let meant = -1; // the touch that the last click belongs to
  let clicks = 0;

  addEventListener("click", (event) => {
    const touch = downs.findLastIndex(({ pointer }) => pointer === event.pointerId);
    meant = touch === -1 ? downs.length - 1 : touch;
    clicks += 1;
  }, { capture: true });

  addEventListener("pointerdown", (event) => {
    downs.push({ ...look(), pointer: event.pointerId, on: named(event.target.closest?.("button, [data-card], input") ?? event.target) });
  }, { capture: true });

  const { fetch } = window;
  window.fetch = async (url, options) => {
    if (url !== "/command" || JSON.parse(options.body).dry) return fetch(url, options);
    const one = { ...JSON.parse(options.body), down: meant, answer: null };
    delete one.pin;
    sent.push(one);
    const response = await fetch(url, options);
    one.answer = await response.clone().json();
    return response;
  };

  const isSaid = (answer) => answer !== null && answer.error?.kind !== "unavailable";

  const disabled = (one) => one.disabled || one.getAttribute("aria-disabled") === "true";

  const SHARES = [0.5, 0.15, 0.85, 0.3, 0.7];

  // A point of it that nothing covers: of cards that overlap an edge is to be seen.
  function pointOf(one) {
    const inside = ({ left, right, top, bottom }) => left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
    if (!inside(one.getBoundingClientRect())) one.scrollIntoView({ block: "nearest" });
    const { left, top, width, height } = one.getBoundingClientRect();
    const points = SHARES.flatMap((down) => SHARES.map((right) => ({ x: left + right * width, y: top + down * height })));
    return points.find(({ x, y }) => one.contains(document.elementFromPoint(x, y))) ?? null;
  }

  // Whatever that gives, once it gives something; `why` it did not, in time.
  async function until(true_, why) {
    const end = performance.now() + PATIENCE_MS;
    for (;;) {
      const told = true_();
      if (told) return told;
      if (performance.now() > end) return { missing: why() };
      await moment();
    }
  }

  window.walk = {
    look,
    taken: () => ({ downs: downs.length, sent: sent.length }),
    since: (from) => ({ downs: downs.slice(from.downs), sent: sent.slice(from.sent) }),
    all: (key, selectors) => selectors.map((selector) => found(selector).map((one) => one.dataset[key])),
    texts: (selector) => found(selector).map(words),
    has: (selector) => found(selector).length > 0,
    // Where to tap the first one that is to be seen, once it counts; `text`: with these words alone.
    place: (selector, text) =>
      until(
        () => {
          if (document.querySelector(".overlay")) return null;
          const one = found(selector).find((each) => text === null || words(each) === text);
          const point = one && !disabled(one) ? pointOf(one) : null;
          return point && { ...point, clicks };
        },
        () => `${selector} ${text ?? ""}: ${found(selector).map((one) => `${words(one)}${disabled(one) ? " (off)" : ""}`)}; ${words(document.body).slice(0, 300)}`,
      ),
    // Whether a click has come since there were so many: a touch that is held too long makes none.
    clicked: async (before) => {
      const end = performance.now() + CLICK_MS;
      while (clicks <= before && performance.now() < end) await moment();
      return clicks > before;
    },
    gone: (selector) => until(() => found(selector).length === 0 && {}, () => `${selector} is still there`),
    // The page shows the table as it is since that entry, or later.
    shows: (at) =>
      until(
        () => {
          const { at: shown, overlay } = look();
          return !overlay && shown !== null && shown >= at && { at: shown };
        },
        () => `the table at ${at}: ${JSON.stringify(look())}`,
      ),
    // The first of these selectors that is to be seen, or "sent" once the command of that number is
    // answered; the page gives it again where nobody knows whether it was done.
    first: (number, selectors) =>
      until(
        () => {
          if (sent.length > number && isSaid(sent.at(-1).answer)) return { is: "sent", sent: sent.slice(number) };
          const is = selectors.find((selector) => found(selector).some((one) => !disabled(one)));
          return is && { is };
        },
        () => `${selectors}: ${words(document.body).slice(0, 300)}`,
      ),
    // All that can be tapped and is to be seen: {x, y, on, of}.
    targets: () =>
      found("button, input, [data-card], [data-place]").flatMap((one) => {
        const point = pointOf(one);
        if (point === null) return [];
        const of = one.closest(".overlay") ? "overlay" : one.closest(".another") ? "seat" : one.closest(".dialog") ? "dialog"
          : one.dataset.command ? "key" : one.closest(".held, .fixing") ? "held" : one.closest(".wagers") ? "wager" : one.dataset.box ? "box" : "other";
        return [{ ...point, on: named(one), of, disabled: disabled(one) }];
      }),
  };
})();
