// Play: learning with reasons, or an exam with a clock; choosing the answer or building it.

import { ask, isStatic } from "./engine";
import { builder, type Builder } from "./builder";
import { choices, type Choices } from "./choices";
import { button, copyButton, field, fill, forgive, h, number, save, say, select } from "./dom";
import { reasons, ruleList } from "./explain";
import { grid, panel } from "./panels";
import { anySeed, catalog, familyOf, fromPath, link, SET_NAMES, toPath } from "./ref";
import { sureness } from "./solve";
import type { Catalog, Mark, Puzzle, PuzzleRef, Solved } from "./types";

type Mode = "learn" | "exam";

interface Answered {
  puzzle: Puzzle;
  response: string;
  right: boolean;
  seconds: number;
  broken: string[];
}

/** Rules that change something, least and most. */
const LEVELS: Record<string, [number, number]> = { "1 or 2": [1, 2], "3 or 4": [3, 4], "5 or 6": [5, 6] };

/** The layouts or regimes that are wanted, as far as they can have so many changing rules. */
function kindsOf(all: Catalog, { set, kind, level }: Pick<Wanted, "set" | "kind" | "level">) {
  const least = LEVELS[level]?.[0] ?? 0;
  return familyOf(all, set).kinds.filter((one) => (kind === "any" || kind === one.name) && one.most_rules >= least);
}

/** What is asked of the player. */
function task(family: string): string {
  if (family === "pgm") return "The panels follow rules, row by row or column by column. Which one comes last?";
  if (family === "vad") return "The first row follows a rule. Which panel makes the second row follow the same rule, there in something else?";
  return "The panels of each row follow rules, the same in all three rows. Which one comes last?";
}

interface Wanted {
  set: string;
  kind: string;
  level: string;
  mode: Mode;
  build: boolean;
  items: number;
  seconds: number;
}

const wanted: Wanted = {
  set: "iraven", kind: "any", level: "any", mode: "learn", build: false, items: 5, seconds: 60,
};

/** Shows the page; gives what ends its clock and keys. */
export async function play(main: HTMLElement, path: string[]): Promise<() => void> {
  const all = await catalog();
  const controls = h("div", { class: "controls" });
  const stage = h("div", { class: "stage" });
  let stop = () => {};
  const again = () => {
    stop();
    stop = () => {};
  };
  // Who asks for another puzzle before one is there gets the one that was asked for last.
  let turn = 0;
  const run = async (begin: (isWanted: () => boolean) => Promise<() => void>) => {
    again();
    const mine = ++turn;
    const isWanted = () => mine === turn && main.isConnected;
    try {
      const end = await begin(isWanted);
      if (isWanted()) stop = end;
      else end();
    } catch (error) {
      if (isWanted()) fill(stage, h("p", { class: "error", role: "alert" }, (error as Error).message));
    }
  };
  const start = () => run((isWanted) => (wanted.mode === "exam" ? exam(stage, all, isWanted) : learn(stage, all, isWanted)));
  const show = () => fill(controls, ...playControls(all, show, start));
  show();
  fill(main, h("h1", {}, "Play"), controls, stage);
  const named = fromPath(path);
  if (named) {
    // What follows a linked puzzle is of its set, in the layouts that are wanted if it has them.
    if (named.set in SET_NAMES && named.set !== wanted.set) {
      const isSameFamily = familyOf(all, named.set) === familyOf(all, wanted.set);
      Object.assign(wanted, { set: named.set, kind: isSameFamily ? wanted.kind : "any" });
    }
    wanted.mode = "learn";
    show();
    await run((isWanted) => learn(stage, all, isWanted, named));
  } else {
    await start();
  }
  return () => {
    turn++;
    stop();
  };
}

function playControls(all: Catalog, show: () => void, start: () => Promise<void>): HTMLElement[] {
  const family = familyOf(all, wanted.set);
  const sets = all.families.flatMap((f) => f.sets.map((s) => [s.name, SET_NAMES[s.name] ?? s.name] as const));
  const kinds = [["any", "any"] as const, ...family.kinds.map((k) => [k.name, k.long] as const)];
  const levels = Object.keys(LEVELS).filter((level) => kindsOf(all, { ...wanted, level }).length > 0);
  if (!levels.includes(wanted.level)) wanted.level = "any";
  const controls = [
    field("Puzzles", select(sets, wanted.set, (set) => {
      Object.assign(wanted, { set, kind: "any" });
      show();
    })),
    field(family.has_layouts ? "Layout" : "Regime", select(kinds, wanted.kind, (kind) => {
      wanted.kind = kind;
      show();
    })),
  ];
  if (levels.length > 1) {
    const names = ["any", ...levels].map((level) => [level, level] as const);
    controls.push(field("Changing rules", select(names, wanted.level, (level) => void (wanted.level = level))));
  }
  controls.push(
    field("Mode", select([["learn", "learn, with reasons"], ["exam", "exam, with a score"]], wanted.mode, (mode) => {
      wanted.mode = mode as Mode;
      show();
    })),
    field("Answer by", select([["choose", "choosing it"], ["build", "building it"]], wanted.build ? "build" : "choose",
      (how) => void (wanted.build = how === "build"))),
  );
  if (wanted.mode === "exam") {
    controls.push(
      field("Items", number(wanted.items, 1, 50, (n) => void (wanted.items = n))),
      field("Seconds each", number(wanted.seconds, 0, 600, (n) => void (wanted.seconds = n)), "0: no limit"),
    );
  }
  controls.push(button(wanted.mode === "exam" ? "Start the exam" : "New puzzle", start, { class: "primary" }));
  return controls;
}

/** The next puzzle as wanted. Kinds take turns in random order, so that none comes twice in a row. */
let bag: string[] = [];
let last = "";

async function next(all: Catalog, wanted: Wanted, seed: number, index: number): Promise<Puzzle> {
  const kinds = kindsOf(all, wanted).map((kind) => kind.name);
  bag = bag.filter((kind) => kinds.includes(kind));
  if (bag.length === 0) {
    bag = kinds.slice().sort(() => Math.random() - 0.5);
    if (bag[bag.length - 1] === last) bag.reverse();
  }
  last = bag.pop()!;
  return make({ set: wanted.set, kind: last, seed, index }, LEVELS[wanted.level]);
}

async function make(puzzle: PuzzleRef, active?: [number, number]): Promise<Puzzle> {
  const said = await ask<{ puzzles: Puzzle[] }>("make", { puzzle, active_rules: active });
  return said.puzzles[0]!;
}

/** A puzzle on the stage; `done` is told the answer. */
async function board(
  puzzle: Puzzle,
  isBuilt: boolean,
  done: (response: string, right: boolean, broken: string[]) => void,
): Promise<{ element: HTMLElement; reveal(): void; end(): void; choices?: Choices }> {
  const { form } = puzzle;
  const question = grid(puzzle.question.map((p, i) => panel(p, `Panel ${i + 1}: ${p.words}`)),
    form.columns, form.rows * form.columns);
  let options: Choices | undefined;
  let tools: Builder | undefined;
  let isDone = false;
  const confirm = async () => {
    if (isDone) return;
    if (tools) {
      const mark = await ask<Mark>("mark", { puzzle: puzzle.puzzle, panel: tools.built() });
      isDone = true;
      done(mark.right ? "built right" : "built wrong", mark.right, mark.broken);
      return;
    }
    const chosen = options?.chosen();
    if (chosen === undefined) throw new Error("choose a panel first");
    isDone = true;
    done(String(chosen + 1), chosen === puzzle.target, puzzle.broken[chosen] ?? []);
  };
  const answer = button("Answer", confirm, { class: "primary" });
  if (isBuilt) tools = await builder(puzzle);
  else options = choices(puzzle, (index) => say(`choice ${index + 1}`), () => void confirm());
  const keys = (event: KeyboardEvent) => {
    const typed = Number(event.key);
    const target = event.target as HTMLElement;
    if (!options || target.matches("input, select, textarea") || event.ctrlKey || event.altKey || event.metaKey) return;
    if (typed >= 1 && typed <= form.choices) options.choose(typed - 1);
  };
  document.addEventListener("keydown", keys);
  const element = h("div", {}, h("p", { class: "lead" }, task(puzzle.family)), h("div", { class: "board" },
    h("section", { "aria-label": "Question" }, question),
    h("section", { "aria-label": "Your answer" },
      isBuilt ? tools!.element : options!.element,
      h("p", { class: "hint" }, isBuilt
        ? "Set shape, size and colour, then press the places where such objects are. Any panel that keeps the rules is right."
        : `Keys 1 to ${form.choices} choose, arrows move, Enter answers.`),
      answer)));
  return {
    element,
    choices: options,
    reveal: () => {
      options?.reveal(puzzle.target);
      forgive(element);
      answer.remove();
    },
    end: () => document.removeEventListener("keydown", keys),
  };
}

/** One puzzle after another, each explained. */
async function learn(stage: HTMLElement, all: Catalog, isWanted: () => boolean, named?: PuzzleRef): Promise<() => void> {
  let end = () => {};
  const seed = anySeed();
  let count = 0;
  const show = async (puzzle: Puzzle) => {
    if (!isWanted()) return;
    end();
    history.replaceState(null, "", `#play/${toPath(puzzle.puzzle)}`);
    const feedback = h("div", { class: "feedback" });
    const shown = await board(puzzle, wanted.build, (response, right, broken) => {
      shown.reveal();
      explain(puzzle, response, right, broken, feedback, () => another());
    });
    end = shown.end;
    if (!isWanted()) return end();
    const about = h("p", { class: "about" }, `${SET_NAMES[puzzle.set]} · ${puzzle.kind} · `,
      copyButton("link", () => link("play", puzzle.puzzle)));
    fill(stage, shown.element, about, feedback);
    say(`New puzzle: ${puzzle.kind}`);
  };
  const another = async () => show(await next(all, wanted, seed, ++count * 1000));
  await (named ? show(await make(named)) : another());
  return () => end();
}

function explain(
  puzzle: Puzzle,
  response: string,
  right: boolean,
  broken: string[],
  feedback: HTMLElement,
  another: () => Promise<void>,
): void {
  const verdict = right ? "Right." : "Not right.";
  const isBuilt = response.startsWith("built");
  const model = h("div", { class: "model" });
  const onward = button("Next puzzle", another, { class: "primary" });
  fill(feedback,
    h("h2", { class: right ? "good" : "bad" }, `${right ? "✓" : "✗"} ${verdict}`),
    !right && h("p", {}, `Broken: ${broken.join("; ")}.`),
    isBuilt && h("p", {}, `The choice made for this puzzle was number ${puzzle.target + 1}:`,
      panel(puzzle.choices[puzzle.target]!)),
    onward,
    h("h3", {}, "The rules"), ruleList(puzzle),
    // Who built an answer has seen no choices.
    !isBuilt && reasons(puzzle),
    !isStatic && button("What does the model say?", async () => {
      const solved = await ask<Solved>("solve", { puzzle: puzzle.puzzle });
      fill(model, modelWords(solved, puzzle));
    }),
    model);
  say(right ? verdict : `${verdict} Broken: ${broken.join("; ")}`);
  onward.focus();
}

function modelWords(solved: Solved, { target, broken }: Puzzle): HTMLElement {
  if (!solved.model) return h("p", {}, solved.why_no_model ?? "no model");
  const { answer, rules } = solved.model;
  const judged = answer === target ? "which is right" : `which is wrong: ${broken[answer]?.join("; ") ?? ""}`;
  return h("p", {}, `The model (${solved.model_name}) chose ${answer + 1}, ${judged}. ${sureness(solved.model)} It sees: ${rules}.`);
}

/** Items against the clock, without reasons until the end. */
async function exam(stage: HTMLElement, all: Catalog, isWanted: () => boolean): Promise<() => void> {
  const seed = anySeed();
  // What is chosen meanwhile is for the next exam.
  const asked = { ...wanted };
  const given: Answered[] = [];
  let end = () => {};
  let isOver = false;
  const isGone = () => isOver || !isWanted();
  const ask_ = async (item: number): Promise<void> => {
    end();
    if (isGone()) return;
    if (item >= asked.items) return result(stage, given, seed);
    const puzzle = await next(all, asked, seed, item * 1000);
    if (isGone()) return;
    let begun = performance.now();
    const finish = (response: string, right: boolean, broken: string[]) => {
      // The clock may run out while an answer is being marked.
      if (given.length > item) return;
      given.push({ puzzle, response, right, broken, seconds: (performance.now() - begun) / 1000 });
      void ask_(item + 1);
    };
    const shown = await board(puzzle, asked.build, finish);
    if (isGone()) return shown.end();
    const clock = h("p", { class: "clock", role: "timer" });
    const limit = asked.seconds;
    const tick = () => {
      const left = limit - (performance.now() - begun) / 1000;
      clock.textContent = `Item ${item + 1} of ${asked.items}` + (limit ? ` · ${Math.max(0, Math.ceil(left))} s left` : "");
      clock.classList.toggle("late", limit > 0 && left <= 5);
      if (limit && Math.ceil(left) === 5) say("five seconds left");
      if (limit && left <= 0) {
        clearInterval(timer);
        finish("timeout", false, []);
      }
    };
    const timer = setInterval(tick, 250);
    end = () => {
      clearInterval(timer);
      shown.end();
    };
    fill(stage, clock, shown.element);
    // The time that it took to make the item is nobody's.
    begun = performance.now();
    tick();
  };
  await ask_(0);
  return () => {
    isOver = true;
    end();
  };
}

function result(stage: HTMLElement, given: Answered[], seed: number): void {
  const right = given.filter((answer) => answer.right).length;
  const rows = given.map((answer, index) => h("tr", {},
    h("th", { scope: "row" }, h("a", { href: `#play/${toPath(answer.puzzle.puzzle)}` }, index + 1)),
    h("td", {}, answer.right ? "✓" : "✗"),
    h("td", {}, answer.response),
    h("td", {}, answer.puzzle.target + 1),
    h("td", {}, answer.seconds.toFixed(1)),
    h("td", {}, answer.broken.join("; ")),
  ));
  const head = ["Item", "", "Answer", "Key", "Seconds", "Rules missed"];
  fill(stage,
    h("h2", { tabindex: -1 }, `${right} of ${given.length} right`),
    h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Results" }, h("table", {},
      h("thead", {}, h("tr", {}, head.map((text) => h("th", { scope: "col" }, text || h("span", { class: "visually-hidden" }, "Right"))))),
      h("tbody", {}, rows))),
    button("Save as CSV", () => save(`exam-${seed}.csv`, new Blob([csv(given)], { type: "text/csv" }))),
    h("p", { class: "hint" }, "Nothing is kept unless you save it."));
  say(`${right} of ${given.length} right`);
  stage.querySelector("h2")!.focus();
}

function csv(given: Answered[]): string {
  const cell = (text: string) => `"${text.replace(/"/g, '""').replace(/^[=+\-@]/, "'$&")}"`;
  const lines = given.map((a, i) => [
    i + 1, a.puzzle.set, a.puzzle.kind, a.puzzle.puzzle.seed, a.puzzle.puzzle.index, cell(a.puzzle.rules),
    a.puzzle.target + 1, cell(a.response), a.right ? 1 : 0, a.seconds.toFixed(3), cell(a.broken.join("; ")),
  ].join(","));
  return ["item,set,kind,seed,index,rules,key,response,correct,seconds,rules_missed", ...lines].join("\n") + "\n";
}
