// Choosing among panels: by mouse, by arrows, by number.

import { h } from "./dom";
import { panel } from "./panels";
import type { Puzzle } from "./types";

export interface Choices {
  element: HTMLElement;
  /** The chosen one, from 0 on. */
  chosen(): number | undefined;
  choose(index: number): void;
  /** Shows which was right, and lets nothing be chosen any more. */
  reveal(target: number): void;
}

/** The choices of a puzzle as a group of radio buttons; `confirm` is told of Enter. */
export function choices(
  puzzle: Puzzle,
  changed: (index: number) => void,
  confirm: () => void,
): Choices {
  let chosen: number | undefined;
  let isOver = false;
  const options = puzzle.choices.map((choice, index) =>
    h(
      "div",
      {
        class: "choice",
        role: "radio",
        "aria-checked": "false",
        "aria-label": `Choice ${index + 1}: ${choice.words}`,
        tabindex: index === 0 ? 0 : -1,
        onclick: () => choose(index),
        onkeydown: (event: KeyboardEvent) => key(event, index),
      },
      panel(choice, ""),
      h("span", { class: "number", "aria-hidden": "true" }, index + 1),
    ),
  );
  const element = h("div", { class: "choices", role: "radiogroup", "aria-label": "Choices" }, options);

  function choose(index: number): void {
    if (isOver || !options[index]) return;
    chosen = index;
    options.forEach((option, i) => {
      option.setAttribute("aria-checked", String(i === index));
      option.tabIndex = i === index ? 0 : -1;
    });
    changed(index);
  }

  function key(event: KeyboardEvent, index: number): void {
    const perRow = Math.max(1, Math.round(element.clientWidth / (options[0]?.offsetWidth ?? 1)));
    const steps: Record<string, number> = {
      ArrowRight: 1, ArrowLeft: -1, ArrowDown: perRow, ArrowUp: -perRow,
    };
    const step = steps[event.key];
    if (step !== undefined) {
      event.preventDefault();
      const next = (index + step + options.length) % options.length;
      choose(next);
      options[next]!.focus();
    } else if (event.key === " ") {
      event.preventDefault();
      choose(index);
    } else if (event.key === "Enter") {
      event.preventDefault();
      if (chosen === undefined) choose(index);
      confirm();
    }
  }

  return {
    element,
    chosen: () => chosen,
    choose: (index) => {
      choose(index);
      options[index]?.focus();
    },
    reveal: (target) => {
      isOver = true;
      element.setAttribute("aria-disabled", "true");
      options.forEach((option, i) => {
        if (i === target) {
          option.classList.add("right");
          option.append(h("span", { class: "tag" }, "✓ right"));
        } else if (i === chosen) {
          option.classList.add("wrong");
          option.append(h("span", { class: "tag" }, "✗ chosen"));
        }
      });
    },
  };
}
