// Work that takes long: how far it is, and a button that ends it.

import type { Listener } from "./engine";
import { fill, h } from "./dom";

export interface Task {
  element: HTMLElement;
  /** Does the work and shows its progress; what ran before is ended. Gives nothing if it was stopped. */
  run<T>(what: string, work: (listener: Listener) => Promise<T>): Promise<T | undefined>;
  /** Ends what is running. */
  stop(): void;
}

/** A place for progress. */
export function task(): Task {
  const bar = h("progress", { "aria-label": "Progress" });
  const words = h("span", { role: "status" });
  const element = h("div", { class: "task" });
  let running: AbortController | undefined;
  const stop = () => running?.abort();
  const button = h("button", { type: "button", onclick: stop }, "Stop");
  return {
    element,
    stop,
    async run(what, work) {
      stop();
      const control = new AbortController();
      running = control;
      bar.removeAttribute("value");
      words.textContent = `${what}…`;
      fill(element, bar, words, button);
      try {
        return await work({
          signal: control.signal,
          step: ({ done, total, what: doing }) => {
            if (control.signal.aborted) return;
            bar.max = total;
            bar.value = done;
            words.textContent = `${doing}: ${done} of ${total}`;
          },
        });
      } catch (error) {
        if (!control.signal.aborted) throw error;
        return undefined;
      } finally {
        // What began meanwhile keeps its own words.
        if (running === control) {
          words.textContent = control.signal.aborted ? "stopped" : "";
          fill(element, control.signal.aborted && words);
          running = undefined;
        }
      }
    },
  };
}
