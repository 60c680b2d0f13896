// Making elements, and telling people what happened.

type Child = Node | string | number | null | undefined | false;
type Props = Record<string, string | number | boolean | null | undefined | ((event: any) => void)>;

/** An element: attributes, `on…` listeners, and children. Text stays text. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  props: Props = {},
  ...children: (Child | Child[])[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value != null) element.setAttribute(name, String(value));
  }
  append(element, children);
  return element;
}

function append(element: Element, children: (Child | Child[])[]): void {
  for (const child of children.flat()) {
    if (child !== null && child !== undefined && child !== false) {
      element.append(child instanceof Node ? child : String(child));
    }
  }
}

/** Replaces what an element holds. */
export function fill(element: Element, ...children: (Child | Child[])[]): void {
  element.replaceChildren();
  append(element, children);
}

/** Says something to those who listen instead of looking. */
export function say(text: string): void {
  const status = document.getElementById("status");
  if (status) status.textContent = text;
}

/** A labelled control. */
export function field(label: string, control: HTMLElement, help?: string): HTMLElement {
  const text = h("span", { class: "label" }, label);
  const element = h("label", { class: "field" }, text, control);
  if (help) element.append(h("span", { class: "help" }, help));
  return element;
}

/** A choice among names. */
export function select(
  options: readonly (readonly [string, string])[],
  value: string,
  change: (value: string) => void,
): HTMLSelectElement {
  const element = h("select", { onchange: () => change(element.value) });
  for (const [key, name] of options) {
    element.append(h("option", { value: key, selected: key === value }, name));
  }
  return element;
}

/** A number. */
export function number(
  value: number,
  least: number,
  most: number,
  change: (value: number) => void,
): HTMLInputElement {
  const element = h("input", {
    type: "number",
    value,
    min: least,
    max: most,
    step: 1,
    onchange: () => {
      const typed = Math.round(Number(element.value));
      const kept = Number.isFinite(typed) ? Math.min(most, Math.max(least, typed)) : value;
      element.value = String(kept);
      change(kept);
    },
  });
  return element;
}

/** A button that is not to be pressed again until its work is done. */
export function button(
  text: string,
  work: () => void | Promise<void>,
  props: Props = {},
): HTMLButtonElement {
  const element = h(
    "button",
    {
      type: "button",
      ...props,
      onclick: async () => {
        if (element.getAttribute("aria-disabled") === "true") return;
        element.setAttribute("aria-disabled", "true");
        try {
          await work();
        } catch (error) {
          complain(element, error);
        } finally {
          element.removeAttribute("aria-disabled");
        }
      },
    },
    text,
  );
  return element;
}

/** Shows an error in words, after an element, until something else is done there. */
export function complain(near: Element, error: unknown): void {
  const words = error instanceof Error ? error.message : String(error);
  const old = near.parentElement?.querySelector(":scope > .error");
  old?.remove();
  near.after(h("p", { class: "error", role: "alert" }, words));
}

/** Removes what was complained about in an element. */
export function forgive(element: Element): void {
  element.querySelectorAll(".error").forEach((error) => error.remove());
}

/** Gives a file to the person. */
export function save(name: string, blob: Blob): void {
  const address = URL.createObjectURL(blob);
  const link = h("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** A button that copies a text, and says that it has. */
export function copyButton(what: string, text: () => string): HTMLButtonElement {
  const element = button(`Copy ${what}`, async () => {
    try {
      await navigator.clipboard.writeText(text());
    } catch {
      // Where the clipboard is not ours, the text is shown for the person to copy.
      prompt(what, text());
      return;
    }
    element.textContent = "✓ copied";
    say(`${what} copied`);
    setTimeout(() => (element.textContent = `Copy ${what}`), 2000);
  }, { class: "quiet" });
  return element;
}
