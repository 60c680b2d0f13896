// Imagine: rules in, drawings out one by one with the judge's verdict; several answers to a question.

import { ask, follow } from "./engine";
import { button, field, fill, h, number, say, select } from "./dom";
import { grid, image, panel } from "./panels";
import { catalog } from "./ref";
import { rulePicker } from "./rulegrid";
import { task, type Task } from "./task";
import type { Imagined, ModelName, Verdict } from "./types";

const wish = { layout: "c-s", rules: "", seed: 1234, n: 4, tries: 1 };
// One to which there are several right answers: the number of objects is told, their places are not.
const question = { layout: "2x2", seed: 7, index: 5, missing: "9", samples: 4 };

/** Shows the page; gives what stops the drawing. */
export async function imagine(main: HTMLElement): Promise<() => void> {
  const [all, { models }] = await Promise.all([catalog(), ask<{ models: ModelName[] }>("models")]);
  const artist = models.find((model) => model.draws);
  const layouts = all.families[0]!.kinds.map((kind) => [kind.name, kind.long] as const);
  const picker = h("div");
  const drawn = h("div", { class: "cards wide" });
  const drawing = task();
  const completing = task();
  const pick = () => fill(picker, rulePicker("iraven", wish.layout, wish.rules, (rules) => void (wish.rules = rules)).element);
  pick();
  const start = async () => {
    fill(drawn);
    await drawing.run("waiting", (listener) => follow("imagine", { ...wish }, {
      ...listener,
      event: (_, one) => drawn.append(card(one as Imagined)),
    }));
  };
  fill(main, h("h1", {}, "Imagine"),
    h("p", { class: "lead" }, "The model draws puzzles from rules; a judge that uses no learned part reads the pixels and says which rules hold."),
    artist && h("p", { class: "hint" }, `${artist.name} draws. ` + (artist.parameters
      ? "It is told the parameters of rules, too, and the judge asks for those that you state."
      : "It is told rules without their parameters: the judge asks for those that you state, and more drawings may be needed to meet them.")),
    h("div", { class: "controls" },
      field("Layout", select(layouts, wish.layout, (layout) => {
        Object.assign(wish, { layout, rules: "" });
        pick();
      })),
      field("Seed", number(wish.seed, 0, Number.MAX_SAFE_INTEGER, (seed) => void (wish.seed = seed))),
      field("Puzzles", number(wish.n, 1, 16, (n) => void (wish.n = n))),
      field("Drawings each, at most", number(wish.tries, 1, 16, (tries) => void (wish.tries = tries)), "until the judge agrees"),
      button("Imagine", start, { class: "primary" })),
    picker, drawing.element, drawn, answers(layouts, completing));
  return () => {
    drawing.stop();
    completing.stop();
  };
}

function verdict(judge: Verdict): HTMLElement {
  // In these puzzles constants may be noise: objects of a panel may differ in what no rule governs.
  return h("ul", { class: "verdict" }, judge.rules.map(({ rule, holds, counted }) =>
    h("li", { class: holds ? "good" : counted ? "bad" : "" },
      holds ? `✓ ${rule}${counted ? "" : " (not counted)"}` : counted ? `✗ ${rule}` : `· ${rule}: varies, which is allowed`)));
}

/** The drawing, what the model meant, and what the judge read, drawn anew. */
function card(one: Imagined): HTMLElement {
  const views: [string, HTMLElement[] | undefined][] = [
    ["Drawing", one.panels.map((address, i) => image(address, `drawn panel ${i + 1}`))],
    ["What the model wrote down", one.meant?.map((p) => panel(p))],
    ["What the judge read, drawn anew", one.read?.map((p) => panel(p))],
  ];
  return h("article", { class: "card", "aria-label": `Puzzle ${one.puzzle}` },
    h("h2", { class: one.verified ? "good" : "bad" }, `${one.puzzle}: ${one.verified ? "✓" : "✗"} ${one.words}`),
    h("div", { class: "views" }, views.map(([title, panels]) =>
      h("figure", {}, panels ? grid(panels, 3, 9) : h("p", {}, "cannot be read"), h("figcaption", {}, title)))),
    verdict(one.judge),
    one.is_an_item && h("p", { class: "hint" }, "With choices made by the engine this is an item: one right answer."));
}

interface Completed {
  rules: string;
  distinct: number;
  samples: { panels: string[]; words: string; right: boolean; judged_by_puzzle_rules: Verdict }[];
}

/** Several answers at any position of a made puzzle. */
function answers(layouts: readonly (readonly [string, string])[], progress: Task): HTMLElement {
  const shown = h("div", { class: "cards" });
  const said = h("p", { role: "status" });
  const missing = Array.from({ length: 9 }, (_, i) => [String(i + 1), `panel ${i + 1}`] as const);
  return h("section", {}, h("h2", {}, "Several answers to one question"),
    h("div", { class: "controls" },
      field("Layout", select(layouts, question.layout, (layout) => void (question.layout = layout))),
      field("Seed", number(question.seed, 0, Number.MAX_SAFE_INTEGER, (seed) => void (question.seed = seed))),
      field("Number", number(question.index, 0, 1e9, (index) => void (question.index = index))),
      field("Missing", select(missing, question.missing, (panel) => void (question.missing = panel))),
      field("Answers", number(question.samples, 1, 16, (n) => void (question.samples = n))),
      button("Draw answers", async () => {
        said.textContent = "";
        const { layout, seed, index, ...asked } = question;
        const puzzle = { set: "iraven", kind: layout, seed, index };
        const done = await progress.run("waiting", (listener) => follow<Completed>("complete", { puzzle, ...asked }, listener));
        if (!done) return;
        const right = done.samples.filter((s) => s.right).length;
        said.textContent = `${right} of ${done.samples.length} keep every rule; ${done.distinct} different. Rules: ${done.rules}`;
        say(said.textContent);
        const gap = Number(asked.missing) - 1;
        fill(shown, done.samples.map((sample) => h("article", { class: "card" },
          h("h3", { class: sample.right ? "good" : "bad" }, `${sample.right ? "✓" : "✗"} ${sample.words}`),
          grid(sample.panels.map((address, i) => {
            const picture = image(address, i === gap ? "the drawn panel" : `panel ${i + 1}`);
            if (i === gap) picture.classList.add("drawn");
            return picture;
          }), 3, 9), verdict(sample.judged_by_puzzle_rules))));
      }, { class: "primary" })),
    progress.element, said, shown);
}
