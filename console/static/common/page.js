// What a page calls itself: a name that all may see, and a secret, which it sends in a header alone.

const KEPT = "page";

const hex = (bytes) =>
  [...crypto.getRandomValues(new Uint8Array(bytes))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

export const newPage = () => `${hex(4)}.${hex(16)}`;

export const headersOf = (page) => ({ "X-Console-Page": page });

// Of a page that follows: whether it acted when it was last told who does, as before a start of the console.
export const followingHeaders = (page, acted) => ({ ...headersOf(page), "X-Console-Acted": acted ? "yes" : "no" });

// A page that is loaded again is the one that it was, and acts if that did. The tab keeps its name and
// secret only from the end of the old one to the begin of the new one: so a copy of the tab finds nothing,
// and no two pages are ever the same one.
export function ownPage() {
  const page = sessionStorage.getItem(KEPT) ?? newPage();
  const take = () => sessionStorage.removeItem(KEPT);
  take();
  addEventListener("pagehide", () => sessionStorage.setItem(KEPT, page));
  addEventListener("pageshow", take); // also of one that was left and is shown again
  return page;
}
