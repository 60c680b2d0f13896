// What the engine and the server say.

/** Which puzzle: the same words and numbers always make the same one. */
export interface PuzzleRef {
  set: string;
  kind: string;
  rules?: string;
  choices?: string | null;
  no_rivals?: boolean;
  seed: number;
  index: number;
}

export interface PanelPicture {
  svg: string;
  words: string;
}

export interface Form {
  rows: number;
  columns: number;
  choices: number;
}

export interface Proof {
  sound: boolean;
  untrue: string[];
  right: number[];
  equal_choices: [number, number][];
  rivals: number;
  unneeded_rules: number;
  unshown_rules: number;
  vote: number[];
  minority: number[];
}

export interface Puzzle {
  puzzle: PuzzleRef;
  family: string;
  set: string;
  kind: string;
  form: Form;
  question: PanelPicture[];
  choices: PanelPicture[];
  alt_text: string;
  target: number;
  rules: string;
  rule_lines: { label: string; rules: [string, string][] }[];
  broken: string[][];
  active_rules: number;
  most_objects: number;
  proof?: Proof;
}

export interface Catalog {
  version: string;
  families: {
    id: string;
    form: Form;
    sets: { name: string; about: string }[];
    has_layouts: boolean;
    /** With how many rules that change something there are puzzles, at most. */
    kinds: { name: string; long: string; folder: string; most_rules: number }[];
    choices: string[];
  }[];
}

export interface RuleGrid {
  rows: {
    attribute: string;
    cells: { rule: string; texts: string[]; reason: string | null }[];
    /** The least and the largest value that a distribute-three can hand out, where values can be stated. */
    values?: [number, number] | null;
  }[];
  problem: string | null;
}

export interface Mark {
  right: boolean;
  broken: string[];
  as_in_the_key: boolean;
}

export interface RavenBuilder {
  components: {
    name: string | null;
    slots: { x: number; y: number; side: number }[];
    shapes: string[];
    sizes: Named[];
    colors: Named[];
  }[];
}

export interface Named {
  value: number;
  name: string;
}

export interface RelationBuilder {
  shapes: { positions: Named[]; shapes: Named[]; sizes: Named[]; colors: Named[] };
  lines: { lines: Named[]; colors: Named[] };
}

export interface Verdict {
  agrees: boolean;
  coherence: number;
  rules: { rule: string; holds: boolean; rows: number; counted: boolean }[];
}

/** What was sent, cut into panels. */
export interface Panels {
  file: string;
  files: string[];
  family: string;
  form: Form;
  notes: string[];
  panels: string[];
}

export interface ModelName {
  name: string;
  family: string | null;
  /** Whether it answers puzzles of its family where none is named. */
  default: boolean;
  /** Whether it is the one that draws and is looked into. */
  draws: boolean;
  /** Whether it is told the parameters of rules when it draws. */
  parameters: boolean;
}

export interface Solved extends Panels {
  exact: {
    answer: number;
    scores: number[];
    chances: number[] | null;
    target: number | null;
    rules: string;
    confidence?: number;
    broken: string[][];
    tied?: boolean;
  };
  model: {
    answer: number;
    scores: number[];
    rules: string;
    confidence?: number;
    chance?: number;
    trust?: number;
    experts: Record<string, number[]>;
    broken: string[][];
  } | null;
  rules: {
    attributes: string[];
    columns: string[];
    mixed: number[][];
    experts: Record<string, number[][]>;
  } | null;
  model_name?: string;
  why_no_model?: string;
}

export interface Imagined {
  puzzle: number;
  layout: string;
  asked: string;
  tries: number;
  verified: boolean;
  judge: Verdict;
  words: string;
  panels: string[];
  meant: PanelPicture[] | null;
  read: PanelPicture[] | null;
  is_an_item: boolean;
}

export interface Download {
  name: string;
  blob: Blob;
}
