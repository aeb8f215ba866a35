// Rows as a table for people, and where they are as files.

import { html, nothing } from "./lit-html.js";

// `columns` are pairs of a title and what is told of a row; `right` are the titles of numbers.
export function rowTable(caption, columns, rows, right = [], foot = nothing) {
  const look = (title) => (right.includes(title) ? "num" : "");
  const line = (row) => html`<tr>${columns.map(([title, tell]) => html`<td class=${look(title)}>${tell(row)}</td>`)}</tr>`;
  return html`<div class="scroll" role="region" aria-label=${caption} tabindex="0"><table>
    <caption>${caption}</caption>
    <thead><tr>${columns.map(([title]) => html`<th scope="col" class=${look(title)}>${title}</th>`)}</tr></thead>
    <tbody>${rows.length ? rows.map(line) : html`<tr><td colspan=${columns.length}>None.</td></tr>`}</tbody>${foot}
  </table></div>`;
}

export function files(path, asked) {
  const query = new URLSearchParams(Object.entries(asked).filter(([, value]) => value));
  return html`<span class="screen"> <a href="${path}.csv?${query}">CSV</a> <a href="${path}.json?${query}">JSON</a></span>`;
}
