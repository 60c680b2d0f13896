// Pages by address.

import { about } from "./about";
import { fill, h } from "./dom";
import { imagine } from "./imagine";
import { inside } from "./inside";
import { isStatic, Refusal } from "./engine";
import { make } from "./make";
import { redrawPanels } from "./panels";
import { play } from "./play";
import { settingsControls } from "./settings";
import { solve } from "./solve";

type End = (() => void) | void;
type Page = (main: HTMLElement, path: string[]) => Promise<End> | End;

const PAGES: Record<string, { title: string; show: Page; needsServer?: boolean }> = {
  play: { title: "Play", show: play },
  make: { title: "Make", show: make },
  solve: { title: "Solve", show: solve, needsServer: true },
  imagine: { title: "Imagine", show: imagine, needsServer: true },
  inside: { title: "Look inside", show: inside, needsServer: true },
  about: { title: "About", show: about },
};

const main = document.getElementById("main")!;
const names = Object.keys(PAGES).filter((name) => !(isStatic && PAGES[name]!.needsServer));
let end: End;
let turn = 0;

async function show(): Promise<void> {
  const [name, ...path] = location.hash.slice(1).split("/").map(decoded);
  const page = names.includes(name!) ? name! : "play";
  const { title, show: open } = PAGES[page]!;
  document.title = `${title} · genvp studio`;
  fill(document.getElementById("nav")!, names.map((other) =>
    h("li", {}, h("a", { href: `#${other}`, "aria-current": other === page ? "page" : null }, PAGES[other]!.title))));
  end?.();
  end = undefined;
  const mine = ++turn;
  trouble("");
  // A page that is still waiting for an answer fills its own place, not that of the next one.
  const place = h("div");
  fill(main, place);
  try {
    const ended = await open(place, path);
    // Whoever went on to another page meanwhile needs nothing of this one.
    if (mine === turn) end = ended;
    else ended?.();
  } catch (error) {
    fill(place, h("h1", {}, title), h("p", { class: "error", role: "alert" }, (error as Error).message));
  }
}

/** What went wrong without anybody waiting for it. */
function trouble(words: string): void {
  document.getElementById("trouble")!.textContent = words;
}

addEventListener("unhandledrejection", (event) => {
  if (event.reason instanceof Refusal) {
    event.preventDefault();
    trouble(event.reason.message);
  }
});

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return "";
  }
}

document.querySelector(".skip")!.addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});
fill(document.getElementById("settings")!, settingsControls(redrawPanels));
addEventListener("hashchange", () => void show());
void show();
