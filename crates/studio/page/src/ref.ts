// Links to puzzles: set, layout or regime, seed, number, rules.

import type { Catalog, PuzzleRef } from "./types";
import { ask } from "./engine";

let asked: Promise<Catalog> | undefined;

/** Everything that there is to ask for. */
export function catalog(): Promise<Catalog> {
  asked ??= ask<Catalog>("catalog");
  // Who asks again after a failure is answered anew.
  asked.catch(() => (asked = undefined));
  return asked;
}

export function familyOf(all: Catalog, set: string) {
  return all.families.find((family) => family.sets.some((s) => s.name === set)) ?? all.families[0]!;
}

/** What people call the sets. */
export const SET_NAMES: Record<string, string> = {
  iraven: "I-RAVEN", raven: "RAVEN", "raven-fair": "RAVEN-FAIR", pgm: "PGM", vad: "VAD (analogies)",
};

/** The part of an address that makes a puzzle again. */
export function toPath(ref: PuzzleRef): string {
  const parts = [ref.set, ref.kind, String(ref.seed), String(ref.index)];
  if (ref.rules || ref.choices || ref.no_rivals) parts.push(ref.rules ?? "");
  if (ref.choices || ref.no_rivals) parts.push(ref.choices ?? "");
  if (ref.no_rivals) parts.push("no-rivals");
  return parts.map(encodeURIComponent).join("/");
}

/** The puzzle of an address, if it names one. */
export function fromPath(parts: string[]): PuzzleRef | undefined {
  const [set, kind, seed, index, rules, choices, rivals] = parts;
  const numbers = [Number(seed), Number(index)];
  if (!set || !kind || !numbers.every((n) => Number.isSafeInteger(n) && n >= 0)) return undefined;
  const ref: PuzzleRef = { set, kind, seed: numbers[0]!, index: numbers[1]! };
  if (rules) ref.rules = rules;
  if (choices) ref.choices = choices;
  if (rivals === "no-rivals") ref.no_rivals = true;
  return ref;
}

/** The same puzzle with its layout by the name that the page lists, if there are such. */
export function known(all: Catalog, ref: PuzzleRef): PuzzleRef | undefined {
  const family = all.families.find((family) => family.sets.some((set) => set.name === ref.set));
  const kind = family?.kinds.find((kind) => kind.name === ref.kind || kind.folder === ref.kind);
  return kind && { ...ref, kind: kind.name };
}

/** The whole address. */
export function link(page: string, ref: PuzzleRef): string {
  return `${location.origin}${location.pathname}#${page}/${toPath(ref)}`;
}

/** The command that writes the same item. */
export function commandOf(ref: PuzzleRef, layouts: boolean): string {
  const where = layouts ? `--layout ${ref.kind} --choices ${ref.set}` : `--family ${ref.set} --regime ${ref.kind}`;
  const rules = (ref.rules ?? "").split(/\s+/).filter(Boolean).map((rule) => ` --rule ${rule}`).join("");
  const choices = ref.choices ? ` --choices ${ref.choices}` : "";
  const rivals = ref.no_rivals ? " --no-rivals" : "";
  return `genvp item export ${where}${choices}${rules}${rivals} --seed ${ref.seed} --first ${ref.index} --out items`;
}

/** A seed nobody chose. */
export function anySeed(): number {
  return crypto.getRandomValues(new Uint32Array(1))[0]!;
}
