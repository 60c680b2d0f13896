// Numbers as bars and heat maps, each with its figure beside it.

import { h } from "./dom";

/** One bar for each choice; larger is better. */
export function bars(title: string, scores: number[], answer: number, digits = 2): HTMLElement {
  const least = Math.min(...scores);
  const most = Math.max(...scores);
  const rows = scores.map((score, index) => {
    const bar = h("span", { class: "bar" });
    bar.style.setProperty("--share", String(most > least ? (score - least) / (most - least) : 1));
    return h("tr", { class: index === answer ? "right" : "" },
      h("th", { scope: "row" }, index + 1, index === answer && " ✓"),
      h("td", { class: "figure" }, score.toFixed(digits)), h("td", { class: "track" }, bar));
  });
  return h("table", { class: "bars" }, h("caption", {}, title),
    h("thead", { class: "visually-hidden" }, h("tr", {}, ["Choice", "Score", "Bar"].map((t) => h("th", { scope: "col" }, t)))),
    h("tbody", {}, rows));
}

/** Shares from 0 to 1 as shaded cells. */
export function heatMap(title: string, rows: string[], columns: string[], values: number[][]): HTMLElement {
  const cell = (value: number) => {
    const td = h("td", {}, value.toFixed(2));
    td.style.setProperty("--heat", value.toFixed(3));
    td.classList.toggle("hot", value > 0.5);
    return td;
  };
  return h("table", { class: "heat" }, h("caption", {}, title),
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Attribute"), columns.map((c) => h("th", { scope: "col" }, c.replaceAll("_", " "))))),
    h("tbody", {}, rows.map((name, row) => h("tr", {}, h("th", { scope: "row" }, name), (values[row] ?? []).map(cell)))));
}
