// Building the missing panel instead of choosing it.

import { ask } from "./engine";
import { button, field, fill, h, select } from "./dom";
import { panel } from "./panels";
import type { Named, PanelPicture, Puzzle, RavenBuilder, RelationBuilder } from "./types";

type Thing = Record<string, number>;
interface Built {
  components?: Thing[][];
  shapes?: Thing[];
  lines?: Thing[];
}

export interface Builder {
  element: HTMLElement;
  built(): Built;
}

/** Tools for a panel of the puzzle. Nothing is there at first, so that nothing is given away. */
export async function builder(puzzle: Puzzle): Promise<Builder> {
  const tools = await ask<RavenBuilder | RelationBuilder>("builder", { puzzle: puzzle.puzzle });
  return "components" in tools ? ravenBuilder(puzzle, tools) : relationBuilder(puzzle, tools);
}

function preview(puzzle: Puzzle): { element: HTMLElement; show(built: Built): Promise<void> } {
  const element = h("div", { class: "preview", "aria-live": "polite" });
  let latest = 0;
  return {
    element,
    async show(built) {
      const turn = ++latest;
      const drawn = await ask<PanelPicture>("panel", { puzzle: puzzle.puzzle, panel: built });
      // An older drawing must not come after a newer one.
      if (turn === latest) fill(element, panel(drawn, `Your panel: ${drawn.words}`));
    },
  };
}

const options = (names: Named[]) => names.map((n) => [String(n.value), n.name] as const);

function ravenBuilder(puzzle: Puzzle, tools: RavenBuilder): Builder {
  const parts: Thing[][] = tools.components.map(() => []);
  const shown = preview(puzzle);
  const brushes = tools.components.map((part) => ({
    shape: 1,
    size: part.sizes[part.sizes.length - 1]!.value,
    color: part.colors[0]!.value,
  }));
  const update = () => shown.show({ components: parts });
  const groups = tools.components.map((part, index) => {
    const brush = brushes[index]!;
    const objects = parts[index]!;
    const slots = part.slots.map((place, slot) => {
      const toggle = h("button", {
        type: "button",
        class: "slot",
        "aria-pressed": "false",
        "aria-label": part.slots.length === 1 ? "Place the object" : `Place ${slot + 1}`,
        onclick: () => {
          const at = objects.findIndex((object) => object.slot === slot);
          const same = at >= 0 && Object.entries(brush).every(([k, v]) => objects[at]![k] === v);
          if (at >= 0) objects.splice(at, 1);
          // A second click takes the object away, unless it is to look different.
          if (!same) objects.push({ slot, ...brush });
          toggle.setAttribute("aria-pressed", String(!same));
          void update();
        },
      });
      toggle.style.setProperty("--x", `${(place.x - place.side / 2) * 100}%`);
      toggle.style.setProperty("--y", `${(place.y - place.side / 2) * 100}%`);
      toggle.style.setProperty("--side", `${place.side * 100}%`);
      return toggle;
    });
    const shapes = part.shapes.map((name, i) => [String(i + 1), name] as const);
    const last = part.sizes.length - 1;
    const sizes = part.sizes.map(({ value, name }, i) =>
      [String(value), i === 0 ? `${name} (smallest)` : i === last ? `${name} (largest)` : name] as const);
    const colors = options(part.colors);
    return h(
      "fieldset",
      {},
      h("legend", {}, part.name ? `Objects: ${part.name}` : "Objects"),
      h("div", { class: "tools" },
        field("Shape", select(shapes, "1", (v) => void (brush.shape = Number(v)))),
        field("Size", select(sizes, String(brush.size), (v) => void (brush.size = Number(v)))),
        field("Colour", select(colors, String(brush.color), (v) => void (brush.color = Number(v))))),
      h("div", { class: "slots", role: "group", "aria-label": "Where" }, slots),
      part.slots.length > 1 && button("All places", () => {
        objects.length = 0;
        part.slots.forEach((_, slot) => objects.push({ slot, ...brush }));
        slots.forEach((slot) => slot.setAttribute("aria-pressed", "true"));
        return update();
      }),
    );
  });
  void update();
  return {
    element: h("div", { class: "builder" }, shown.element, groups),
    built: () => ({ components: parts }),
  };
}

function relationBuilder(puzzle: Puzzle, tools: RelationBuilder): Builder {
  const built: Required<Pick<Built, "shapes" | "lines">> = { shapes: [], lines: [] };
  const shown = preview(puzzle);
  const update = () => shown.show(built);
  // Greys are numbered from dark to light.
  const greys = (names: Named[]) => {
    const numbered = names.filter((n) => n.name !== "black");
    const [first, last] = [numbered[0], numbered[numbered.length - 1]];
    return options(names.map((n) => ({ ...n, name: n === first ? `${n.name} (darkest)` : n === last ? `${n.name} (lightest)` : n.name })));
  };
  const first = (names: Named[]) => names[0]!.value;
  const shape = {
    shape: first(tools.shapes.shapes),
    size: tools.shapes.sizes[5]!.value,
    color: first(tools.shapes.colors),
  };
  const line = { color: tools.lines.colors[tools.lines.colors.length - 1]!.value };
  const toggle = (list: Thing[], key: string, value: number, brush: Thing, name: string) => {
    const element = h("button", {
      type: "button",
      class: "slot word",
      "aria-pressed": "false",
      onclick: () => {
        const at = list.findIndex((thing) => thing[key] === value);
        const same = at >= 0 && Object.entries(brush).every(([k, v]) => list[at]![k] === v);
        if (at >= 0) list.splice(at, 1);
        if (!same) list.push({ [key]: value, ...brush });
        element.setAttribute("aria-pressed", String(!same));
        void update();
      },
    }, name);
    return element;
  };
  const set = (brush: Thing, key: string) => (value: string) => void (brush[key] = Number(value));
  void update();
  return {
    element: h("div", { class: "builder" }, shown.element,
      h("fieldset", {}, h("legend", {}, "Shapes"),
        h("div", { class: "tools" },
          field("Shape", select(options(tools.shapes.shapes), String(shape.shape), set(shape, "shape"))),
          field("Size", select(options(tools.shapes.sizes), String(shape.size), set(shape, "size"))),
          field("Colour", select(greys(tools.shapes.colors), String(shape.color), set(shape, "color")))),
        h("div", { class: "places", role: "group", "aria-label": "Where" },
          tools.shapes.positions.map((p) => toggle(built.shapes, "position", p.value, shape, p.name)))),
      h("fieldset", {}, h("legend", {}, "Lines"),
        h("div", { class: "tools" },
          field("Colour", select(greys(tools.lines.colors), String(line.color), set(line, "color")))),
        h("div", { class: "places", role: "group", "aria-label": "Which lines" },
          tools.lines.lines.map((l) => toggle(built.lines, "line", l.value, line, l.name))))),
    built: () => built,
  };
}
