// Make: rules in, an item out, with its proof, clones, a collection and files.

import { ask, exportItems, follow, isStatic } from "./engine";
import { button, copyButton, field, fill, forgive, h, number, save, say, select } from "./dom";
import { proofList, reasons, ruleList } from "./explain";
import { grid, panel } from "./panels";
import { anySeed, catalog, commandOf, familyOf, fromPath, known, link, SET_NAMES, toPath } from "./ref";
import { rulePicker } from "./rulegrid";
import { task, type Task } from "./task";
import type { Catalog, Puzzle, PuzzleRef } from "./types";

const KEY = "genvp-collection";

let current: PuzzleRef = { set: "iraven", kind: "c-s", seed: 1234, index: 0 };
const collection: PuzzleRef[] = stored();

function stored(): PuzzleRef[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(kept) ? (kept as PuzzleRef[]) : [];
  } catch {
    return [];
  }
}

function keep(): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(collection));
  } catch {
    // The collection lasts as long as the page, then.
  }
}

/** Shows the page; gives what ends its work. */
export async function make(main: HTMLElement, path: string[]): Promise<() => void> {
  const all = await catalog();
  const named = fromPath(path);
  const linked = named && known(all, named);
  current = linked ?? current;
  const controls = h("div", { class: "controls" });
  const picker = h("div");
  const item = h("div", { class: "stage" });
  const proof = h("div", { class: "stage" });
  const items = h("section", { class: "collection", "aria-labelledby": "collection-title" });

  // Whoever went on to another page, or to another item, gets no item that comes late.
  let turn = 0;
  const show = async () => {
    if (!main.isConnected) return;
    const mine = ++turn;
    history.replaceState(null, "", `#make/${toPath(current)}`);
    try {
      const said = await ask<{ puzzles: Puzzle[] }>("make", { puzzle: current, proof: true });
      if (mine !== turn) return;
      fill(item, itemView(said.puzzles[0]!, all, listItems));
      fill(proof, proofView(said.puzzles[0]!));
    } catch (error) {
      if (mine !== turn) return;
      fill(item, h("p", { class: "error", role: "alert" }, (error as Error).message));
      fill(proof);
    }
  };
  const saving = task();
  const listItems = () => fill(items, collectionView(listItems, saving));
  const setUp = () => {
    fill(controls, makeControls(all, setUp, show));
    let isFirst = true;
    const rules = rulePicker(current.set, current.kind, current.rules ?? "", (text) => {
      // An analogy is stated whole or not at all.
      if (!isFirst) current = { ...current, rules: text || undefined };
      isFirst = false;
      void show();
    });
    fill(picker, rules.element);
  };
  setUp();
  listItems();
  fill(main, h("h1", {}, "Make"),
    h("p", { class: "lead" }, "State the rules that you want; the rest is drawn. Exactly one choice is right, and that is proved."),
    named && !linked && h("p", { class: "error", role: "alert" }, `There are no puzzles of ${named.set} ${named.kind}; this is another one.`),
    controls, h("div", { class: "bench" }, picker, item, proof), items);
  return () => saving.stop();
}

function makeControls(all: Catalog, setUp: () => void, show: () => Promise<void>): HTMLElement[] {
  const family = familyOf(all, current.set);
  const allSets = all.families.flatMap((f) => f.sets);
  const sets = allSets.map((s) => [s.name, SET_NAMES[s.name] ?? s.name] as const);
  const about = allSets.find((s) => s.name === current.set)?.about;
  const kinds = family.kinds.map((kind) => [kind.name, kind.long] as const);
  const restart = (change: Partial<PuzzleRef>) => {
    current = { ...current, rules: undefined, choices: undefined, ...change };
    // Only RAVEN's puzzles are made without rivals.
    if (!familyOf(all, current.set).has_layouts) current.no_rivals = undefined;
    setUp();
  };
  const parts = [
    field("Set", select(sets, current.set, (set) => restart({ set, kind: familyOf(all, set).kinds[0]!.name })), about),
    field(family.has_layouts ? "Layout" : "Regime", select(kinds, current.kind, (kind) => restart({ kind }))),
    field("Seed", number(current.seed, 0, Number.MAX_SAFE_INTEGER, (seed) => {
      current = { ...current, seed };
      void show();
    })),
  ];
  if (family.choices.length > 0) {
    const names = family.choices.map((name) => [name, name] as const);
    parts.push(field("Choices", select(names, current.choices ?? names[0]![0], (choices) => {
      current = { ...current, choices };
      void show();
    })));
  }
  if (family.has_layouts) {
    const box = h("input", {
      type: "checkbox",
      checked: current.no_rivals ?? false,
      onchange: () => {
        current = { ...current, no_rivals: box.checked || undefined };
        void show();
      },
    });
    parts.push(h("label", { class: "check" }, box, "No rival rules"));
  }
  parts.push(button("Another", () => {
    current = { ...current, index: current.index + 1 };
    return show();
  }, { class: "primary" }));
  parts.push(button("Another seed", () => {
    current = { ...current, seed: anySeed(), index: 0 };
    setUp();
  }));
  return parts;
}

/** The item, what can be done with it, and its clones; `listItems` is told when the collection changes. */
function itemView(puzzle: Puzzle, all: Catalog, listItems: () => void): HTMLElement {
  const clones = h("div", { class: "clones" });
  const cloning = task();
  const add = (ref: PuzzleRef) => {
    collection.push(ref);
    keep();
    listItems();
    say(`${collection.length} items in the collection`);
  };
  return h("article", { "aria-label": "Item" },
    miniature(puzzle),
    h("p", {}, button("Add to the collection", () => add(puzzle.puzzle), { class: "primary" }), " ",
      button("Clones", async () => {
        // The same rules with their parameters, and another surface.
        const like = { ...puzzle.puzzle, rules: puzzle.rules, index: puzzle.puzzle.index + 1 };
        const said = await cloning.run("waiting", (listener) =>
          follow<{ puzzles: Puzzle[] }>("make", { puzzle: like, n: chosen.clones }, listener));
        if (!said) return;
        fill(clones, h("h3", {}, "Clones: the same rules, another surface"),
          h("p", { class: "hint" }, "Clones need not be equally hard for people: calibrate before you compare."),
          h("div", { class: "cards" }, said.puzzles.map((clone) =>
            h("div", { class: "card" }, miniature(clone), button("Add", () => add(clone.puzzle))))),
          said.puzzles.length > 1 && button("Add all", () => said.puzzles.forEach((clone) => add(clone.puzzle))));
      }), " ",
      h("label", { class: "inline" }, "how many ", number(chosen.clones, 1, 64, (n) => void (chosen.clones = n))), " ",
      copyButton("link", () => link("make", puzzle.puzzle)), " ",
      copyButton("command", () => commandOf(puzzle.puzzle, familyOf(all, puzzle.set).has_layouts)), " ",
      h("a", { href: `#play/${toPath(puzzle.puzzle)}` }, "Play it")),
    cloning.element, clones);
}

function proofView(puzzle: Puzzle): HTMLElement {
  const { form } = puzzle;
  return h("section", { "aria-label": "Proof and rules" },
    h("h2", {}, "Proof"), puzzle.proof && proofList(puzzle, puzzle.proof),
    h("h2", {}, "Rules"), ruleList(puzzle),
    h("p", { class: "hint" }, `${puzzle.active_rules} changing ${puzzle.active_rules === 1 ? "rule" : "rules"}, at most ${puzzle.most_objects} ${puzzle.most_objects === 1 ? "object" : "objects"} in a panel of a ${form.rows}×${form.columns} matrix: a rough measure of difficulty, not normed.`),
    reasons(puzzle));
}

/** Question and choices, with the answer marked. */
function miniature(puzzle: Puzzle): HTMLElement {
  const { form } = puzzle;
  return h("div", { class: "miniature" },
    grid(puzzle.question.map((p) => panel(p)), form.columns, form.rows * form.columns),
    h("ol", { class: "choices small" }, puzzle.choices.map((choice, index) =>
      h("li", { class: index === puzzle.target ? "choice right" : "choice" }, panel(choice),
        index === puzzle.target && h("span", { class: "tag" }, "✓ ", h("span", { class: "word" }, "answer"))))));
}

const FORMATS: readonly (readonly [string, string, boolean])[] = [
  ["pdf", "Sheet to print, with key (PDF)", true],
  ["sheet", "Sheet as drawings (SVG)", true],
  ["svg", "Single drawings (SVG)", true],
  ["csv", "Key and rules (CSV)", true],
  ["jspsych", "jsPsych timeline", true],
  ["moodle", "Moodle questions (XML)", true],
  ["psychopy", "PsychoPy conditions", true],
  ["png", "Single pictures (PNG)", true],
  ["npz", "Arrays as in the datasets (npz)", false],
];

const chosen = { format: "pdf", title: "", paper: "a4", perPage: "2", clones: 3 };

function collectionView(listItems: () => void, progress: Task): HTMLElement[] {
  const formats = FORMATS.filter(([, , inPage]) => inPage || !isStatic).map(([key, name]) => [key, name] as const);
  const title = h("input", { type: "text", value: chosen.title, maxlength: 80, onchange: () => void (chosen.title = title.value) });
  const list = collection.map((ref, index) => h("li", {},
    h("a", { href: `#make/${toPath(ref)}` }, `${ref.set} ${ref.kind}, seed ${ref.seed}, number ${ref.index}`),
    ref.rules ? ` (${ref.rules})` : "", " ",
    button("Remove", () => {
      collection.splice(index, 1);
      keep();
      listItems();
    }, { class: "quiet", "aria-label": `Remove item ${index + 1}` })));
  const form = h("div", { class: "controls" },
    field("As", select(formats, chosen.format, (format) => void (chosen.format = format))),
    field("Title", title),
    field("Paper", select([["a4", "A4"], ["letter", "Letter"]], chosen.paper, (paper) => void (chosen.paper = paper))),
    field("Items a page", select([["1", "1"], ["2", "2"], ["4", "4"], ["6", "6"]], chosen.perPage, (n) => void (chosen.perPage = n))),
    button("Save", async () => {
      forgive(form);
      const files = await progress.run("waiting", (listener) => exportItems({
        items: collection, format: chosen.format, title: chosen.title, paper: chosen.paper, per_page: Number(chosen.perPage),
      }, listener));
      files?.forEach(({ name, blob }) => save(name, blob));
      if (files) say(`${files.length} files saved`);
    }, { class: "primary" }));
  return [
    h("h2", { id: "collection-title" }, `Collection: ${collection.length} items`),
    ...(collection.length === 0
      ? [h("p", { class: "hint" }, "Add items to print or export them together. The list is kept in this browser only.")]
      : [h("ol", { class: "items" }, list), form, progress.element]),
  ];
}
