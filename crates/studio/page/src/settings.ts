// What the person prefers. Kept in this browser only.

import { field, h, select } from "./dom";

interface Settings {
  theme: "auto" | "light" | "dark";
  textures: boolean;
}

const KEY = "genvp-settings";

function stored(): Settings {
  const usual: Settings = { theme: "auto", textures: false };
  try {
    return { ...usual, ...(JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Settings>) };
  } catch {
    return usual;
  }
}

export const settings: Settings = stored();

function keep(): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // Nothing is kept where the browser does not want it.
  }
}

function apply(): void {
  document.documentElement.dataset.theme = settings.theme;
}

/** The controls in the head of the page; `redraw` is told when panels look different. */
export function settingsControls(redraw: () => void): HTMLElement[] {
  apply();
  const themes = [["auto", "as the system"], ["light", "light"], ["dark", "dark"]] as const;
  const theme = select(themes, settings.theme, (value) => {
    settings.theme = value as Settings["theme"];
    keep();
    apply();
  });
  const textures = h("input", {
    type: "checkbox",
    checked: settings.textures,
    onchange: () => {
      settings.textures = textures.checked;
      keep();
      redraw();
    },
  });
  const label = h("label", { class: "check" }, textures, "Textures instead of greys");
  return [label, field("Theme", theme)];
}
