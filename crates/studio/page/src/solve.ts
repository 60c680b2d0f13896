// Solve: files in, their panels to look at, and then two answers side by side.

import { ask, follow, form, send } from "./engine";
import { bars, heatMap } from "./bars";
import { button, complain, field, fill, forgive, h, say, select } from "./dom";
import { grid, image } from "./panels";
import { task } from "./task";
import type { ModelName, Panels, Solved } from "./types";

const FAMILIES = [["", "told by the files"], ["raven", "RAVEN"], ["pgm", "PGM"], ["vad", "VAD"]] as const;

/** Shows the page; gives what ends its work. */
export async function solve(main: HTMLElement): Promise<() => void> {
  const { models } = await ask<{ models: ModelName[] }>("models");
  const found = h("div", { class: "stage" });
  const result = h("div", { class: "stage" });
  const progress = task();
  const wanted = { family: "", model: "" };
  let files: File[] = [];
  let order = "";

  const input = h("input", {
    type: "file", accept: ".npz,image/*", multiple: true, id: "file",
    onchange: () => input.files?.length && void take([...input.files]),
  });
  const drop = h("div", { class: "drop" }, h("label", { for: "file" }, "Choose a puzzle, or drop it here:"), input,
    h("p", { class: "hint" }, "An npz file of RAVEN, PGM or VAD; a picture of a sheet, such as a scan (a regular grid of panels, or panels in frames); a question and its choices; or one picture for each panel, dropped together. Only pixels are looked at."));
  const over = (on: boolean) => (event: DragEvent) => {
    event.preventDefault();
    drop.classList.toggle("over", on);
  };
  drop.addEventListener("dragover", over(true));
  drop.addEventListener("dragleave", over(false));
  drop.addEventListener("drop", (event) => {
    over(false)(event);
    if (event.dataTransfer?.files.length) void take([...event.dataTransfer.files]);
  });

  async function take(taken: File[], given = ""): Promise<void> {
    progress.stop();
    forgive(drop);
    fill(result);
    fill(found, h("p", {}, "Cutting out the panels…"));
    try {
      [files, order] = [await Promise.all(taken.map(asPng)), given];
      const cut = await send<Panels>("panels", form(files, { family: wanted.family, order }));
      fill(found, confirmation(cut));
      say(`${cut.panels.length} panels found: right so?`);
    } catch (error) {
      fill(found);
      complain(input, error);
    }
  }

  /** The panels as they were cut, and what is to be done with them. */
  function confirmation(cut: Panels): HTMLElement[] {
    const context = cut.form.rows * cut.form.columns - 1;
    const isSingle = cut.files.length === cut.panels.length;
    // A model of another family is shown and cannot be chosen.
    const own = models.find((m) => m.default && m.family === cut.family);
    const names = [["", own ? `${own.name} (the usual one)` : "none is there"] as const, ...models.map((m) => [m.name, m.family === cut.family ? m.name : `${m.name} (for ${m.family ?? "no family"})`] as const)];
    if (!models.some((m) => m.name === wanted.model && m.family === cut.family)) wanted.model = "";
    const model = select(names, wanted.model, (value) => void (wanted.model = value));
    models.forEach((m, i) => (model.options[i + 1]!.disabled = m.family !== cut.family));
    const go = button("Solve these panels", () => run(), { class: "primary" });
    const figures = cut.panels.map((address, i) => {
      const name = i < context ? `panel ${i + 1}` : `choice ${i - context + 1}`;
      return h("figure", {}, image(address, name), h("figcaption", {}, name, isSingle && [h("br"), h("span", { class: "file" }, cut.files[i]!), mover(cut, i)]));
    });
    return [
      h("h2", {}, "Are these the panels?"),
      h("p", {}, `${cut.file}: ${cut.form.rows}×${cut.form.columns} with ${cut.form.choices} choices, read as ${cut.family}. ${cut.notes.join("; ")}`),
      h("div", { class: "controls" },
        field("Family, if they are cut wrongly", select(FAMILIES, wanted.family, (value) => {
          wanted.family = value;
          void take(files, order);
        })),
        field("Model", model), go),
      h("div", { class: "found" },
        h("div", { class: "pieces context" }, figures.slice(0, context)),
        h("div", { class: "pieces" }, figures.slice(context))),
    ];
  }

  /** Moves a picture one place back, for files whose names do not tell their order. */
  function mover(cut: Panels, at: number): HTMLElement | false {
    return at > 0 && button("↰", () => {
      const names = cut.files.slice();
      [names[at - 1], names[at]] = [names[at]!, names[at - 1]!];
      const left = files.slice();
      const sorted = names.map((name) => left.splice(left.findIndex((file) => file.name === name), 1)[0]!);
      return take(sorted, "given");
    }, { class: "quiet", "aria-label": `Move ${cut.files[at]} one place back`, title: "one place back" });
  }

  async function run(): Promise<void> {
    fill(result);
    const solved = await progress.run("waiting", (listener) =>
      follow<Solved>("solve", form(files, { family: wanted.family, model: wanted.model, order }), listener));
    if (!solved) return;
    fill(result, solution(solved));
    say(`Exact solver: choice ${solved.exact.answer + 1}`);
  }

  fill(main, h("h1", {}, "Solve"),
    h("p", { class: "lead" }, "Drop a puzzle: the exact solver reads its scene and reasons; the model looks and judges."),
    drop, found, progress.element, result);
  return () => progress.stop();
}

/** The largest side of a picture that is not PNG: scans have more pixels than panels need. */
const MOST_SIDE = 2000;

/** A picture of any kind that the browser knows, as PNG. */
async function asPng(file: File): Promise<File> {
  if (!file.type.startsWith("image/") || file.type === "image/png") return file;
  const bitmap = await createImageBitmap(file).catch(() => {
    throw new Error(`${file.name}: not a picture that this browser can read`);
  });
  const scale = Math.min(1, MOST_SIDE / Math.max(bitmap.width, bitmap.height));
  const canvas = h("canvas", { width: Math.round(scale * bitmap.width), height: Math.round(scale * bitmap.height) });
  const context = canvas.getContext("2d")!;
  context.imageSmoothingQuality = "high";
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/png"));
  return new File([blob!], file.name.replace(/(\.[^.]*)?$/, ".png"), { type: "image/png" });
}

/** Panels, answers, scores, rules. */
function solution(solved: Solved): HTMLElement[] {
  const { form, panels, exact, model } = solved;
  const context = form.rows * form.columns - 1;
  const pictures = panels.map((address, i) => image(address, i < context ? `panel ${i + 1}` : `choice ${i - context + 1}`));
  const known = exact.target === null ? "" : `The file says ${exact.target + 1}.`;
  const parts: HTMLElement[] = [
    h("h2", {}, "Answers"),
    h("p", {}, known),
    h("div", { class: "board" }, grid(pictures.slice(0, context), form.columns, context + 1),
      h("ol", { class: "choices small" }, pictures.slice(context).map((picture, i) => h("li", { class: i === exact.answer ? "choice right" : "choice" }, picture,
        i === exact.answer && h("span", { class: "tag" }, "exact"), i === model?.answer && h("span", { class: "tag" }, "model"))))),
    h("div", { class: "two" },
      h("section", {}, h("h2", {}, `Exact solver: choice ${exact.answer + 1}`),
        exact.tied && h("p", { class: "bad" }, "Another choice is as good: this is a guess."),
        exact.confidence !== undefined && h("p", {}, `Pixels read with ${Math.round(100 * exact.confidence)} % confidence.`),
        h("p", {}, `Rules: ${exact.rules}`),
        exact.chances ? bars("Chance of each choice, percent", exact.chances.map((c) => 100 * c), exact.answer, 1)
          : bars("Bits of evidence for each choice", exact.scores, exact.answer, 1),
        broken(exact.broken, exact.answer)),
      h("section", {}, model ? modelPart(solved, model) : [h("h2", {}, "Model"), h("p", {}, solved.why_no_model ?? "")])),
  ];
  if (solved.rules) parts.push(experts(solved.rules));
  return parts;
}

/** How sure a model is, where it says so. */
export function sureness(model: NonNullable<Solved["model"]>): string {
  const percent = (share = 0) => `${Math.round(100 * share)}\u00a0%`;
  if (model.confidence === undefined) return "It does not say how sure it is.";
  return `${percent(model.confidence)} sure: the choice is clear to ${percent(model.chance)}, the panels are known to ${percent(model.trust)}.`;
}

function modelPart(solved: Solved, model: NonNullable<Solved["model"]>): HTMLElement[] {
  const agree = model.answer === solved.exact.answer ? "" : " (not the exact solver's)";
  return [
    h("h2", {}, `Model ${solved.model_name ?? ""}: choice ${model.answer + 1}${agree}`),
    h("p", {}, sureness(model)),
    h("p", {}, `Rules: ${model.rules}`),
    bars("Rules seen to hold with each choice", model.scores, model.answer),
    broken(model.broken, model.answer),
  ];
}

function broken(reasons: string[][], answer: number): HTMLElement {
  return h("details", {}, h("summary", {}, "What the other choices break"),
    h("ol", {}, reasons.map((why, i) => h("li", {}, i === answer ? "the answer" : why.join("; ") || "no single rule"))));
}

/** The experts' rule matrices as heat maps: all together, and one to choose. */
export function experts(rules: NonNullable<Solved["rules"]>): HTMLElement {
  const shown = h("div");
  const names = [["", "all together"] as const, ...Object.keys(rules.experts).map((name) => [name, name] as const)];
  const draw = (name: string) => {
    const values = name ? rules.experts[name]! : rules.mixed;
    // Rows of a component that is not there say "none" for certain, and so do those of what lines do not have.
    const rows = rules.attributes.map((_, i) => i).filter((i) => !/^second\.|^line\.(number|position|size)$/.test(rules.attributes[i]!));
    fill(shown, h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Probabilities of rules" },
      heatMap(name ? `Expert ${name}` : "All experts together", rows.map((i) => rules.attributes[i]!), rules.columns, rows.map((i) => values[i]!))));
  };
  draw("");
  return h("section", {}, h("h2", {}, "What the experts see, with the model's answer"), field("Expert", select(names, "", draw)), shown);
}
