// Rules and reasons in words.

import { h } from "./dom";
import { inWords } from "./rulewords";
import type { Proof, Puzzle } from "./types";

/** The rules of a puzzle, component by component: by name, and what the name means. */
export function ruleList(puzzle: Puzzle): HTMLElement {
  const items = puzzle.rule_lines.flatMap((line) =>
    line.rules.map(([what, how]) => {
      const where = line.label.replace(".", " ").replace(/^source/, "first row,").replace(/^target/, "second row,");
      const isGrid = /^\dx\d$/.test(puzzle.kind) || (puzzle.kind === "o-ig" && line.label === "in");
      const words = inWords(puzzle.family, what, how, isGrid);
      return h("li", {}, h("b", {}, where ? `${where} ${what}` : what), `: ${how.replaceAll("_", " ")}`,
        words && h("span", { class: "words" }, ` – ${words}`));
    }),
  );
  return h("div", {}, h("ul", { class: "rules" }, items),
    puzzle.family === "raven" && h("p", { class: "hint" }, "How objects are turned follows no rule."));
}

/** Why each wrong choice is wrong. */
export function reasons(puzzle: Puzzle): HTMLElement {
  const rows = puzzle.broken.map((broken, index) =>
    h("tr", { class: index === puzzle.target ? "right" : "" },
      h("th", { scope: "row" }, index + 1),
      h("td", {}, index === puzzle.target ? "✓ every rule holds" : broken.join("; "))),
  );
  return h("table", { class: "reasons" },
    h("caption", {}, "What each choice breaks"),
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Choice"), h("th", { scope: "col" }, "Why"))),
    h("tbody", {}, rows));
}

/** What was proved about a puzzle. */
export function proofList(puzzle: Puzzle, proof: Proof): HTMLElement {
  const list = (numbers: number[]) => numbers.map((n) => n + 1).join(", ");
  const line = (good: boolean, text: string) => h("li", { class: good ? "good" : "bad" }, `${good ? "✓" : "!"} ${text}`);
  const note = (text: string) => h("li", {}, `· ${text}`);
  const vote = proof.vote.length === 1 && proof.vote[0] === puzzle.target;
  const odd = proof.minority.length === 1 && proof.minority[0] === puzzle.target;
  return h("ul", { class: "proof" },
    line(proof.untrue.length === 0, proof.untrue.length === 0 ? "all stated rules hold" : `does not hold: ${proof.untrue.join(", ")}`),
    line(proof.right.length === 1, proof.right.length === 1 ? `exactly one choice keeps all rules: ${list(proof.right)}` : `choices that keep all rules: ${list(proof.right) || "none"}`),
    line(proof.equal_choices.length === 0, proof.equal_choices.length === 0 ? "no two choices look alike" : "some choices look alike"),
    line(proof.rivals === 0, proof.rivals === 0 ? "no other rules single out another choice" : `other rules single out ${proof.rivals} other choice(s)`),
    proof.unneeded_rules === 0 ? line(true, "every rule is needed to find the answer")
      : note(`the answer can be found without ${proof.unneeded_rules} of the rules`),
    line(!vote && !odd, vote ? "shortcut: a majority vote among the choices finds the answer" : odd ? "shortcut: the answer is the odd one among the choices" : "neither the most nor the least usual choice gives the answer away"));
}
