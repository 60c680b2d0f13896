// Look inside: what the model keeps of a panel, what its experts say, and runs that are under way.

import { ask, Refusal } from "./engine";
import { bars } from "./bars";
import { button, field, fill, h, number, select } from "./dom";
import { image } from "./panels";
import { catalog } from "./ref";
import { experts } from "./solve";
import type { Solved } from "./types";

const at = { layout: "c-s", seed: 7, index: 0, panel: 0, first: 0 };

interface Redrawn {
  panels: string[];
  redrawn: string[];
  relevant: number;
  latents: number;
}

interface Traversed {
  values: number[];
  latents: number;
  lines: { number: number; mean: number; deviation: number; relevant: boolean; drawings: string[] }[];
}

/** Shows the page; gives what stops its looking at runs. */
export async function inside(main: HTMLElement): Promise<() => void> {
  const all = await catalog();
  const layouts = all.families[0]!.kinds.map((kind) => [kind.name, kind.long] as const);
  const redraw = h("div");
  const traverse = h("div");
  const opinions = h("div");
  const runs = h("section");
  const puzzle = () => ({ set: "iraven", kind: at.layout, seed: at.seed, index: at.index });
  const look = async () => {
    const [kept, solved] = await Promise.all([
      ask<Redrawn>("inside/redraw", { puzzle: puzzle() }),
      ask<Solved>("solve", { puzzle: puzzle() }),
    ]);
    fill(redraw, h("h2", {}, "Panels, and what the model draws from what it keeps of them"),
      h("p", {}, `${kept.latents} numbers a panel, of which rules speak about ${kept.relevant}.`),
      h("div", { class: "pairs" }, kept.panels.map((address, i) => h("figure", {},
        image(address, `panel ${i + 1}`), image(kept.redrawn[i]!, `panel ${i + 1} redrawn`),
        h("figcaption", {}, i < 8 ? `panel ${i + 1}` : `choice ${i - 7}`)))));
    fill(opinions, opinionPart(solved));
    await turn();
  };
  const turn = async () => {
    const said = await ask<Traversed>("inside/traverse", { puzzle: puzzle(), panel: at.panel, first: at.first, n: 8 });
    fill(traverse, traversal(said, turn));
  };
  fill(main, h("h1", {}, "Look inside"),
    h("p", { class: "lead" }, "A panel becomes a few numbers; experts read rules from the numbers of a row; the answer is the choice with which most rules hold."),
    h("div", { class: "controls" },
      field("Layout", select(layouts, at.layout, (layout) => void (at.layout = layout))),
      field("Seed", number(at.seed, 0, Number.MAX_SAFE_INTEGER, (seed) => void (at.seed = seed))),
      field("Number", number(at.index, 0, 1e9, (index) => void (at.index = index))),
      button("Look", look, { class: "primary" })),
    redraw, traverse, opinions, runs);
  void look().catch((error: Error) => fill(redraw, h("p", { class: "error", role: "alert" }, error.message)));
  return showRuns(runs);
}

function traversal(said: Traversed, turn: () => Promise<void>): HTMLElement[] {
  const panels = Array.from({ length: 16 }, (_, i) => [String(i), i < 8 ? `panel ${i + 1}` : `choice ${i - 7}`] as const);
  const firsts = Array.from({ length: Math.ceil(said.latents / 8) }, (_, i) => [String(8 * i), `${8 * i} to ${Math.min(said.latents, 8 * i + 8) - 1}`] as const);
  return [
    h("h2", {}, "One number turned, all others kept"),
    h("div", { class: "controls" },
      field("Panel", select(panels, String(at.panel), (value) => {
        at.panel = Number(value);
        void turn();
      })),
      field("Numbers", select(firsts, String(at.first), (value) => {
        at.first = Number(value);
        void turn();
      }))),
    h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Traversal" }, h("table", { class: "traversal" },
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Number (mean ± deviation)"), said.values.map((v) => h("th", { scope: "col" }, v.toFixed(1))))),
      h("tbody", {}, said.lines.map((line) => h("tr", {},
        h("th", { scope: "row" }, `${line.number}: ${line.mean.toFixed(2)} ± ${line.deviation.toFixed(2)}${line.relevant ? "" : " (no rule)"}`),
        line.drawings.map((address, i) => h("td", {}, image(address, `number ${line.number} at ${said.values[i]!.toFixed(1)}`)))))))),
  ];
}

function opinionPart(solved: Solved): HTMLElement[] {
  if (!solved.model || !solved.rules) return [];
  const means = Object.entries(solved.model.experts);
  return [
    h("h2", {}, "What each expert says of each choice"),
    h("div", { class: "cards" }, means.map(([name, scores]) => h("div", { class: "card" }, bars(`${name}: rules seen to hold`, scores, solved.model!.answer)))),
    experts(solved.rules),
  ];
}

interface Run {
  run: string;
  steps: { step: number; total: number }[];
  validations: Record<string, unknown>[];
  pictures: string[];
}

/** Runs of --runs DIR, looked at every few seconds. */
function showRuns(element: HTMLElement): () => void {
  let name: string | undefined;
  let isOver = false;
  const shown = h("div");
  const refresh = async () => {
    if (isOver || document.hidden) return;
    try {
      const { runs } = await ask<{ runs: { run: string }[] }>("runs");
      name = runs.some((run) => run.run === name) ? name : runs[0]?.run;
      const names = runs.map((run) => [run.run, run.run] as const);
      const picker = field("Run", select(names, name ?? "", (value) => {
        name = value;
        void refresh();
      }));
      if (name === undefined) {
        fill(element, h("h2", {}, "Runs"), h("p", {}, "no run is there yet"));
        return;
      }
      const run = await ask<Run>(`runs/${encodeURIComponent(name)}`);
      const last = run.steps[run.steps.length - 1];
      const pictures = run.pictures.slice(-4).map((picture) =>
        h("img", { class: "run", src: `api/runs/${encodeURIComponent(run.run)}/pictures/${encodeURIComponent(picture)}`, alt: picture }));
      if (!element.contains(shown) || element.querySelector("select") !== document.activeElement) {
        fill(element, h("h2", {}, "Runs"), picker, shown);
      }
      fill(shown, h("p", {}, last ? `step ${last.step}, loss ${last.total.toFixed(3)}` : "no steps yet"),
        curve(run.steps.map((step) => step.total)), pictures);
    } catch (error) {
      if (error instanceof Refusal && error.status === 404) {
        isOver = true;
        fill(element, h("h2", {}, "Runs"), h("p", { class: "hint" }, "Start the studio with --runs DIR to watch training here."));
      }
    }
  };
  void refresh();
  const timer = setInterval(() => void refresh(), 4000);
  return () => {
    isOver = true;
    clearInterval(timer);
  };
}

/** A curve of numbers, scaled to its own range. */
function curve(values: number[]): SVGElement {
  const [width, height] = [600, 160];
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  svg.setAttribute("class", "curve");
  svg.setAttribute("role", "img");
  const finite = values.filter(Number.isFinite);
  const [least, most] = [Math.min(...finite), Math.max(...finite)];
  svg.setAttribute("aria-label", finite.length ? `loss from ${finite[0]!.toFixed(2)} to ${finite[finite.length - 1]!.toFixed(2)}` : "no values");
  const points = values.map((v, i) => `${(i / Math.max(1, values.length - 1)) * width},${height - ((v - least) / (most - least || 1)) * (height - 8) - 4}`);
  const line = document.createElementNS("http://www.w3.org/2000/svg", "polyline");
  line.setAttribute("points", points.join(" "));
  svg.append(line);
  return svg;
}
