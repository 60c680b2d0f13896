// What the names of rules mean.

const SHAPES = "triangle, square, pentagon, hexagon, circle";

/** A rule of an attribute in plain words, in RAVEN of one object or of a grid of them; nothing where there are no words. */
export function inWords(family: string, attribute: string, rule: string, isGrid: boolean): string {
  const [name, parameter = ""] = rule.split(" ");
  return (family === "raven" ? raven(attribute, name!, parameter, isGrid) : relation(name!, parameter)) ?? "";
}

function raven(attribute: string, name: string, parameter: string, isGrid: boolean): string | undefined {
  switch (name) {
    case "constant":
      if (attribute === "number/position") return "the same places in all panels of a row";
      return `the same in all panels of a row${isGrid ? "; where objects of one panel differ in it, it does not count" : ""}`;
    case "progression":
      return progression(attribute, parameter.startsWith("+"), Number(parameter.slice(1)));
    case "arithmetic":
      return arithmetic(attribute, parameter === "+");
    case "distribute-three":
      return "the same three in every row, each once, in another order";
    default:
      return undefined;
  }
}

function progression(attribute: string, up: boolean, by: number): string | undefined {
  // Rules can be stated without their parameter.
  if (!by) return undefined;
  const steps = by === 1 ? "one step" : "two steps";
  switch (attribute) {
    case "number":
      return `each panel of a row has ${by === 1 ? "one object" : "two objects"} ${up ? "more" : "fewer"} than the one before`;
    case "position":
      return `from panel to panel all objects move ${by === 1 ? "one place" : "two places"} ${up ? "on" : "back"}, row by row and from the end to the beginning`;
    case "type":
      return `from panel to panel ${steps} ${up ? "on" : "back"} in: ${SHAPES}`;
    case "size":
      return `from panel to panel ${steps} ${up ? "larger" : "smaller"}`;
    case "color":
      return `from panel to panel ${steps} ${up ? "darker" : "lighter"}`;
    default:
      return undefined;
  }
}

function arithmetic(attribute: string, plus: boolean): string | undefined {
  switch (attribute) {
    case "number":
      return plus ? "the last panel of a row has as many objects as the two before together"
        : "the last panel of a row has as many objects as the first has more than the second";
    case "position":
      return plus ? "in the last panel of a row objects are where the first or the second has any"
        : "in the last panel of a row objects are where the first has any and the second has none";
    case "size":
      return `in steps of size: the first panel of a row ${plus ? "plus" : "minus"} the second is the last`;
    case "color":
      return `in steps of grey, white being none: the first panel of a row ${plus ? "plus" : "minus"} the second is the last`;
    default:
      return undefined;
  }
}

/** A relation of PGM or VAD; these look at which values a panel has, not at how often. */
function relation(name: string, axis: string): string | undefined {
  const line = axis === "columns" ? "column" : "row";
  switch (name) {
    case "progression":
      return `grows from panel to panel of a ${line}, by equal steps`;
    case "XOR":
      return `the last panel of a ${line} has what just one of the two before has`;
    case "OR":
      return `the last panel of a ${line} has what the two before have together`;
    case "AND":
      return `the last panel of a ${line} has what the two before have in common`;
    case "consistent_union":
      return `the same three in every ${line}, each once, in another order`;
    default:
      return undefined;
  }
}
