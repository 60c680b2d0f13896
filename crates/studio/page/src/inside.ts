// Look inside: what the model keeps of a panel, what its experts say, and runs that are under way.

import { ask, Refusal } from "./engine";
import { bars } from "./bars";
import { button, field, fill, h, number, select } from "./dom";
import { image } from "./panels";
import { catalog } from "./ref";
import { experts } from "./solve";
import type { ModelName, Solved } from "./types";

const at = { layout: "c-s", seed: 7, index: 0, panel: 0, first: -1 };

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
  const [all, { models }] = await Promise.all([catalog(), ask<{ models: ModelName[] }>("models")]);
  // The experts that are shown read the numbers that are shown.
  const model = models.find((one) => one.draws)?.name;
  const layouts = all.families[0]!.kinds.map((kind) => [kind.name, kind.long] as const);
  const redraw = h("div");
  const turning = h("div");
  const traverse = h("div");
  const opinions = h("div");
  const runs = h("section");
  const puzzle = () => ({ set: "iraven", kind: at.layout, seed: at.seed, index: at.index });
  // What was asked for last is shown, in whatever order answers come.
  let latest = 0;
  const turn = async () => {
    const mine = ++latest;
    const which = at.first === STRONGEST ? { strongest: true } : { first: at.first };
    const said = await ask<Traversed>("inside/traverse", { puzzle: puzzle(), panel: at.panel, n: 8, ...which });
    if (mine === latest) fill(traverse, traversal(said));
  };
  const look = async () => {
    const [kept, solved] = await Promise.all([
      ask<Redrawn>("inside/redraw", { puzzle: puzzle() }),
      ask<Solved>("solve", { puzzle: puzzle(), model }),
    ]);
    fill(redraw, h("h2", {}, "Panels, and what the model draws from what it keeps of them"),
      h("p", {}, `${model}: ${kept.latents} numbers a panel, of which rules speak about ${kept.relevant}.`),
      h("div", { class: "pairs" }, kept.panels.map((address, i) => h("figure", {},
        image(address, `panel ${i + 1}`), image(kept.redrawn[i]!, `panel ${i + 1} redrawn`),
        h("figcaption", {}, i < 8 ? `panel ${i + 1}` : `choice ${i - 7}`)))));
    fill(opinions, opinionPart(solved));
    if (!turning.hasChildNodes()) fill(turning, traversalControls(kept.latents, turn));
    await turn();
  };
  fill(main, h("h1", {}, "Look inside"),
    h("p", { class: "lead" }, "A panel becomes a few numbers; experts read rules from the numbers of a row; the answer is the choice with which most rules hold."),
    h("div", { class: "controls" },
      field("Layout", select(layouts, at.layout, (layout) => void (at.layout = layout))),
      field("Seed", number(at.seed, 0, Number.MAX_SAFE_INTEGER, (seed) => void (at.seed = seed))),
      field("Number", number(at.index, 0, 1e9, (index) => void (at.index = index))),
      button("Look", look, { class: "primary" })),
    redraw, turning, traverse, opinions, runs);
  void look().catch((error: Error) => fill(redraw, h("p", { class: "error", role: "alert" }, error.message)));
  return showRuns(runs);
}

/** In place of a number: those that change the drawing most. */
const STRONGEST = -1;

/** Which panel and which of its numbers; `turn` is told of a change. */
function traversalControls(latents: number, turn: () => Promise<void>): HTMLElement[] {
  const panels = Array.from({ length: 16 }, (_, i) => [String(i), i < 8 ? `panel ${i + 1}` : `choice ${i - 7}`] as const);
  const firsts = Array.from({ length: Math.ceil(latents / 8) }, (_, i) => [String(8 * i), `${8 * i} to ${Math.min(latents, 8 * i + 8) - 1}`] as const);
  return [
    h("h2", {}, "One number turned, all others kept"),
    h("div", { class: "controls" },
      field("Panel", select(panels, String(at.panel), (value) => {
        at.panel = Number(value);
        void turn();
      })),
      field("Numbers", select([[String(STRONGEST), "those that change most"], ...firsts], String(at.first), (value) => {
        at.first = Number(value);
        void turn();
      }))),
  ];
}

function traversal(said: Traversed): HTMLElement {
  return h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Traversal" }, h("table", { class: "traversal" },
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Number (mean ± deviation)"), said.values.map((v) => h("th", { scope: "col" }, v.toFixed(1))))),
    h("tbody", {}, said.lines.map((line) => h("tr", {},
      h("th", { scope: "row" }, `${line.number}: ${line.mean.toFixed(2)} ± ${line.deviation.toFixed(2)}${line.relevant ? "" : " (no rule)"}`),
      line.drawings.map((address, i) => h("td", {}, image(address, `number ${line.number} at ${said.values[i]!.toFixed(1)}`))))))));
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

/** What examinations measured, by name; families without layouts are examined by regime. */
function examined(run: Run): Map<string, [number, number][]> {
  const curves = new Map<string, [number, number][]>();
  const add = (name: string, step: number, value: unknown) => {
    if (typeof value !== "number") return;
    curves.set(name, [...(curves.get(name) ?? []), [step, value]]);
  };
  for (const { step, what, puzzles, seconds, regimes, ...measured } of run.validations) {
    for (const [name, value] of Object.entries(measured)) add(name.replaceAll("_", " "), Number(step), value);
    for (const [name, result] of Object.entries((regimes ?? {}) as Record<string, { answers?: { percent?: number } }>)) {
      add(`${name}: right answers, percent`, Number(step), result.answers?.percent);
    }
  }
  return curves;
}

/** Runs of --runs DIR, looked at every few seconds. */
function showRuns(element: HTMLElement): () => void {
  let name: string | undefined;
  let isOver = false;
  let listed = "";
  const shown = h("div");
  const refresh = async () => {
    if (isOver || document.hidden) return;
    try {
      const { runs } = await ask<{ runs: { run: string }[] }>("runs");
      const names = runs.map((run) => run.run);
      if (name === undefined || !names.includes(name)) name = names[0];
      if (name === undefined) {
        fill(element, h("h2", {}, "Runs"), h("p", {}, "no run is there yet"));
        return;
      }
      // The list is made anew only when it changes, so that whoever is at it stays there.
      if (names.join("\n") !== listed) {
        listed = names.join("\n");
        fill(element, h("h2", {}, "Runs"), field("Run", select(names.map((run) => [run, run] as const), name, (value) => {
          name = value;
          void refresh();
        })), shown);
      }
      const run = await ask<Run>(`runs/${encodeURIComponent(name)}`);
      if (isOver || run.run !== name) return;
      const last = run.steps[run.steps.length - 1];
      const pictures = run.pictures.slice(-4).map((picture) =>
        h("img", { class: "run", src: `api/runs/${encodeURIComponent(run.run)}/pictures/${encodeURIComponent(picture)}`, alt: picture }));
      const curves = [curve("loss", run.steps.map(({ step, total }) => [step, total])),
        ...[...examined(run)].map(([title, points]) => curve(title, points))];
      fill(shown, h("p", {}, last ? `step ${last.step}, loss ${last.total.toFixed(3)}` : "no steps yet"),
        h("div", { class: "curves" }, curves), pictures);
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

/** Numbers over steps, scaled to their own range, which is written beside them. */
function curve(title: string, points: [number, number][]): HTMLElement {
  const [width, height] = [600, 160];
  const finite = points.filter(([step, value]) => Number.isFinite(step) && Number.isFinite(value));
  if (finite.length === 0) return h("figure", {}, h("figcaption", {}, `${title}: nothing yet`));
  const [steps, values] = [finite.map(([step]) => step), finite.map(([, value]) => value)];
  const range = (all: number[]): [number, number] => [Math.min(...all), Math.max(...all)];
  const [[from, to], [least, most]] = [range(steps), range(values)];
  const shown = (value: number) => Number(value.toPrecision(4)).toString();
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  svg.setAttribute("class", "curve");
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", `${title} from ${shown(values[0]!)} to ${shown(values[values.length - 1]!)}`);
  const line = document.createElementNS("http://www.w3.org/2000/svg", "polyline");
  // A single measurement is a line, too.
  const all = finite.length === 1 ? [finite[0]!, [finite[0]![0] + 1, finite[0]![1]] as [number, number]] : finite;
  const span = finite.length === 1 ? 1 : to - from || 1;
  line.setAttribute("points", all.map(([step, value]) =>
    `${((step - from) / span) * width},${height - ((value - least) / (most - least || 1)) * (height - 8) - 4}`).join(" "));
  svg.append(line);
  const figure = h("figure", {}, h("figcaption", {}, `${title}: ${shown(least)} to ${shown(most)}, now ${shown(values[values.length - 1]!)}; steps ${from} to ${to}`));
  figure.prepend(svg);
  return figure;
}
