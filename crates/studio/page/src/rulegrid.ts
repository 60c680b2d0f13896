// Rules by attribute: a grid in which what is impossible is grey and says why.

import { ask } from "./engine";
import { fill, h, say, select } from "./dom";
import type { RuleGrid } from "./types";

export interface RulePicker {
  element: HTMLElement;
  rules(): string;
}

/** A grid for a set and kind; `changed` is told the stated rules. */
export function rulePicker(
  set: string,
  kind: string,
  stated: string,
  changed: (rules: string) => void,
): RulePicker {
  const chosen = new Map<string, string>();
  for (const rule of stated.split(/\s+/).filter(Boolean)) {
    chosen.set(rule.slice(0, rule.indexOf("=")), rule);
  }
  const rules = () => [...chosen.values()].join(" ");
  const why = h("p", { class: "why", role: "status" });
  const table = h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Rules" });
  const element = h("div", { class: "rulegrid" },
    h("p", { class: "hint" }, "Rules that must hold. What is grey is impossible; select it to see why."), table, why);

  let turn = 0;
  async function refresh(): Promise<void> {
    const mine = ++turn;
    let grid: RuleGrid;
    try {
      grid = await ask<RuleGrid>("grid", { set, kind, rules: rules() });
    } catch (error) {
      grid = { rows: [], problem: (error as Error).message };
    }
    // An older answer must not come after a newer one.
    if (mine !== turn) return;
    const focused = document.activeElement?.id;
    fill(table, draw(grid));
    if (focused) document.getElementById(focused)?.focus();
    why.textContent = grid.problem ?? "";
    why.classList.toggle("bad", grid.problem !== null);
    changed(grid.problem === null ? rules() : "");
  }

  function pick(attribute: string, rule: string | undefined): void {
    if (rule === undefined) chosen.delete(attribute);
    else chosen.set(attribute, rule);
    void refresh();
  }

  function draw(grid: RuleGrid): HTMLElement {
    const names = grid.rows[0]?.cells.map((cell) => cell.rule) ?? [];
    const head = h("tr", {}, h("th", { scope: "col" }, "Attribute"), h("th", { scope: "col" }, "any"),
      names.map((name) => h("th", { scope: "col" }, name.replace(/[-_]/g, " "))));
    const rows = grid.rows.map(({ attribute, cells, values }) => {
      const now = chosen.get(attribute);
      const nowRule = now?.slice(attribute.length + 1).split(":")[0];
      const radio = (rule: string | undefined, texts: string[], reason: string | null) => {
        const isOn = rule === nowRule;
        const label = `${attribute}: ${rule ?? "any"}${reason ? `, impossible: ${reason}` : ""}`;
        const input = h("input", {
          type: "radio",
          id: `rule-${attribute}-${rule ?? "any"}`.replace(/[^a-z0-9-]/gi, "_"),
          name: `rule-${attribute}`,
          "aria-label": label,
          "aria-disabled": reason ? "true" : "false",
          title: reason ?? label,
          checked: isOn,
          onclick: (event: Event) => {
            if (reason) {
              event.preventDefault();
              why.textContent = `${attribute}=${rule}: ${reason}`;
              say(reason);
            } else {
              pick(attribute, texts[0]);
            }
          },
        });
        const steps = isOn && texts.length > 1 && select(
          texts.map((text) => [text, text.split(":")[1] ?? "any"] as const), now ?? "",
          (text) => pick(attribute, text));
        if (steps) steps.setAttribute("aria-label", `${attribute}: parameter`);
        return h("td", { class: reason ? "impossible" : "" }, input, steps);
      };
      // Three values to hand out, such as 1/4/7; nothing: any.
      const handedOut = (rule: string) => {
        const text = h("input", {
          type: "text",
          class: "values",
          size: 7,
          placeholder: "any",
          id: `values-${attribute}`.replace(/[^a-z0-9-]/gi, "_"),
          "aria-label": `${attribute}: three values from ${values!.join(" to ")}, such as ${values![0]}/${values![0] + 1}/${values![1]}; any if empty`,
          title: `three values from ${values!.join(" to ")}, such as ${values![0]}/${values![0] + 1}/${values![1]}`,
          value: now?.split(":")[1] ?? "",
          onchange: () => {
            const typed = text.value.trim().split(/[\s,;/]+/).filter(Boolean).join("/");
            pick(attribute, `${attribute}=${rule}${typed && `:${typed}`}`);
          },
        });
        return text;
      };
      return h("tr", {}, h("th", { scope: "row" }, attribute),
        radio(undefined, [], null),
        cells.map((cell) => {
          const element = radio(cell.rule, cell.texts, cell.texts.length ? null : cell.reason);
          if (values && cell.rule === "distribute-three" && cell.rule === nowRule) element.append(handedOut(cell.rule));
          return element;
        }));
    });
    return h("table", {}, h("thead", {}, head), h("tbody", {}, rows));
  }

  void refresh();
  return { element, rules };
}
