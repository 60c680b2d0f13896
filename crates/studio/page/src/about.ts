// About: the model's card, the interface, and what stays where.

import { ask, isStatic } from "./engine";
import { field, fill, h, select } from "./dom";
import { catalog } from "./ref";
import type { ModelName } from "./types";

interface Card {
  name: string;
  text: string;
}

/** Shows the page. */
export async function about(main: HTMLElement): Promise<void> {
  const { version } = await catalog();
  const parts: HTMLElement[] = [
    h("h1", {}, "About"),
    h("p", {}, `genvp ${version}: Raven-style visual puzzles, made, proved, drawn and solved. MIT or Apache-2.0, at your choice.`),
    h("p", {}, "Puzzles are made by an engine whose rules are exact: for each item it is proved that exactly one choice keeps all rules. PGM's and VAD's puzzles follow the published structure; how often each relation and value is drawn is our own choice."),
    h("h2", {}, "What stays where"),
    h("p", {}, isStatic
      ? "Everything runs in this page. Nothing is sent anywhere; settings and the collection are kept in this browser."
      : "Everything runs on the machine that started the studio. The page loads nothing from elsewhere; settings and the collection are kept in this browser."),
    h("h2", {}, "Keys"),
    h("p", {}, "1 to 8 choose, arrows move between choices, Enter answers, Tab goes on. Greys can be shown as textures (above)."),
    h("p", {}, "Items are not normed: what is said about difficulty is a count of rules and objects."),
  ];
  if (!isStatic) {
    const asked = (name?: string) => ask<Card>(name === undefined ? "model" : `model?name=${encodeURIComponent(name)}`);
    const [first, { models }] = await Promise.all([asked(), ask<{ models: ModelName[] }>("models")]);
    const card = h("div");
    // Who chooses twice quickly sees the card that was chosen last.
    let wanted = first.name;
    const show = ({ name, text }: Card) => {
      if (name === wanted) fill(card, h("pre", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Model card" }, text));
    };
    show(first);
    const names = select(models.map(({ name }) => [name, name] as const), first.name, (name) => {
      wanted = name;
      void asked(name).then(show);
    });
    parts.push(
      h("h2", {}, "For programs"),
      h("p", {}, "The interface is described at ", h("a", { href: "api/openapi.json" }, "/api/openapi.json"), "; answers are those of the command's --json."),
      h("h2", {}, "Models"),
      h("ul", {}, models.map((model) => h("li", {},
        `${model.name}: puzzles of ${model.family ?? "no family"}${model.default ? ", answers where none is named" : ""}${model.draws ? ", draws" : ""}`))),
      h("p", { class: "hint" }, "Start the studio with --model NAME|FILE, as often as you like, to have others here."),
      h("h2", {}, "Cards"),
      field("Model", names), card);
  }
  fill(main, ...parts);
}
