// Drawn panels, in greys or in textures.

import { h } from "./dom";
import { settings } from "./settings";
import type { PanelPicture } from "./types";

/** Patterns from light to dark that are told apart without seeing greys. */
const TEXTURES = [
  '<circle cx="4" cy="4" r="1"/>',
  '<path d="M0 4h8" stroke="#000"/>',
  '<path d="M4 0v8" stroke="#000"/>',
  '<path d="M0 8L8 0" stroke="#000"/>',
  '<path d="M0 0L8 8" stroke="#000"/>',
  '<path d="M0 4h8M4 0v8" stroke="#000"/>',
  '<path d="M0 0L8 8M0 8L8 0" stroke="#000"/>',
  '<circle cx="4" cy="4" r="3"/>',
  '<path d="M0 2h8M0 6h8" stroke="#000" stroke-width="2.6"/>',
  '<path d="M0 0h8v8H0z"/>',
];
const DASHES = ["1 7", "2 6", "4 4", "6 3", "8 2", "8 2 2 2", "12 3", "14 2 2 2", "20 2", "none"];

/** The texture of a grey, 0 to 9; those of every family differ from each other. */
function level(grey: string): number {
  const value = parseInt(grey.slice(0, 2), 16);
  return Math.min(9, Math.floor((255 - value) / 25.6));
}

const GREY = /(fill|stroke)="#(([0-9a-f]{2})\3\3)"/g;

/** The same drawing with a pattern for every grey. */
export function textured(svg: string): string {
  const used = new Set<number>();
  const drawn = svg.replace(GREY, (whole: string, what: string, grey: string) => {
    if (what === "stroke") {
      const dash = DASHES[level(grey)];
      return dash === "none" ? whole : `stroke="#000000" stroke-dasharray="${dash}"`;
    }
    if (grey === "ffffff") return whole;
    used.add(level(grey));
    return `fill="url(#t${level(grey)})"`;
  });
  const patterns = [...used].map(
    (i) => `<pattern id="t${i}" width="8" height="8" patternUnits="userSpaceOnUse">` +
      `<path d="M0 0h8v8H0z" fill="#fff"/>${TEXTURES[i]}</pattern>`,
  );
  return drawn.replace(/(<svg[^>]*>)/, `$1<defs>${patterns.join("")}</defs>`);
}

/** From what each shown panel was drawn. */
const drawings = new WeakMap<HTMLImageElement, string>();

/** A panel as an image. */
export function panel(picture: PanelPicture, alt = picture.words): HTMLImageElement {
  const element = image(address(picture.svg), alt);
  drawings.set(element, picture.svg);
  return element;
}

function address(svg: string): string {
  return `data:image/svg+xml,${encodeURIComponent(settings.textures ? textured(svg) : svg)}`;
}

/** Draws the panels of the page again, as the settings now are; nothing else on it changes. */
export function redrawPanels(): void {
  for (const element of document.querySelectorAll<HTMLImageElement>("img.panel")) {
    const svg = drawings.get(element);
    if (svg !== undefined) element.src = address(svg);
  }
}

/** Pixels as an image. */
export function image(address: string, alt: string): HTMLImageElement {
  return h("img", { class: "panel", src: address, alt, width: 160, height: 160, draggable: "false" });
}

/** Nine or six panels in rows, the last one open if it is missing. */
export function grid(panels: HTMLElement[], columns: number, cells: number): HTMLElement {
  const element = h("div", { class: "matrix" });
  element.style.setProperty("--columns", String(columns));
  panels.forEach((item) => element.append(item));
  for (let cell = panels.length; cell < cells; cell++) {
    element.append(h("div", { class: "panel missing" }, h("span", { "aria-hidden": "true" }, "?"),
      h("span", { class: "visually-hidden" }, "the missing panel")));
  }
  return element;
}
