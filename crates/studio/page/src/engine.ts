// Who answers: the server, or the engine inside the page.

import type { Download, PuzzleRef } from "./types";

declare const STATIC: boolean;

/** Whether there is no server: only what the engine alone can do. */
export const isStatic: boolean = STATIC;

/** A refusal in the studio's words. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    said: { error?: string; hint?: string },
  ) {
    super([said.error ?? "no answer", said.hint].filter(Boolean).join("; "));
  }
}

/** Asks the engine. */
export async function ask<T>(question: string, body?: unknown): Promise<T> {
  if (isStatic) return (await (await local()).ask(question, body)) as T;
  const response = await reach(
    `api/${question}`,
    body === undefined ? {} : { method: "POST", headers: JSON_TYPE, body: JSON.stringify(body) },
  );
  return (await response.json()) as T;
}

const JSON_TYPE = { "Content-Type": "application/json" };

async function reach(address: string, request: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(address, request);
  } catch (error) {
    if (request.signal?.aborted) throw error;
    throw new Refusal(0, { error: "the studio does not answer", hint: "is it still running?" });
  }
  if (!response.ok) {
    throw new Refusal(response.status, await response.json().catch(() => ({})));
  }
  return response;
}

/** How far work is. */
export interface Step {
  done: number;
  total: number;
  what: string;
}

/** What is told while an answer is on its way, and what may end it. */
export interface Listener {
  signal?: AbortSignal;
  step?: (step: Step) => void;
  /** Other events, such as drawings. */
  event?: (name: string, data: unknown) => void;
}

/** Asks for an answer that may take long. Whoever aborts ends the work, too. */
export async function follow<T>(question: string, body: unknown, listener: Listener): Promise<T> {
  if (isStatic) return ask<T>(question, body);
  const isForm = body instanceof FormData;
  const response = await reach(`api/${question}`, {
    method: "POST",
    headers: { ...(isForm ? {} : JSON_TYPE), Accept: "text/event-stream" },
    body: isForm ? body : JSON.stringify(body),
    signal: listener.signal ?? null,
  });
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) throw new Refusal(0, { error: "the studio broke off" });
    rest += value;
    const events = rest.split("\n\n");
    rest = events.pop() ?? "";
    for (const event of events) {
      const name = /^event: (.*)$/m.exec(event)?.[1] ?? "";
      const data = JSON.parse(/^data: (.*)$/m.exec(event)?.[1] ?? "null");
      if (name === "end") return data as T;
      if (name === "error") throw new Refusal(503, data);
      if (name === "progress") listener.step?.(data as Step);
      else listener.event?.(name, data);
    }
  }
}

/** The largest upload, in bytes. */
const MOST_BYTES = 8 << 20;

/** Files as a form, with what is asked of them. */
export function form(files: readonly File[], parameters: Record<string, string>): FormData {
  if (files.reduce((sum, file) => sum + file.size, 0) > MOST_BYTES) {
    throw new Refusal(413, { error: "more than 8 MB" });
  }
  const body = new FormData();
  for (const [name, value] of Object.entries(parameters)) if (value) body.append(name, value);
  for (const file of files) body.append("file", file, file.name);
  return body;
}

/** Sends a form and waits for the whole answer. */
export async function send<T>(question: string, body: FormData): Promise<T> {
  return (await (await reach(`api/${question}`, { method: "POST", body })).json()) as T;
}

interface Encoded {
  name: string;
  type?: string;
  base64: string;
}

/** Writes items. */
export async function exportItems(
  request: { items: PuzzleRef[]; format: string; title?: string; paper?: string; per_page?: number },
  listener: Listener,
): Promise<Download[]> {
  const encoded = isStatic
    ? (await ask<{ files: Encoded[] }>("export", request)).files
    : [await follow<Encoded>("item/export", request, listener)];
  return encoded.map(({ name, type, base64 }) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    return { name, blob: new Blob([bytes], { type: type ?? "application/octet-stream" }) };
  });
}

/** The engine in the page. */
interface Local {
  ask(question: string, body?: unknown): unknown;
}

let engine: Promise<Local> | undefined;

function local(): Promise<Local> {
  engine ??= load();
  return engine;
}

interface Exports {
  memory: WebAssembly.Memory;
  reserve(length: number): number;
  ask(question: number, questionLength: number, body: number, bodyLength: number): number;
  release(answer: number, length: number): void;
}

async function load(): Promise<Local> {
  const { instance } = await WebAssembly.instantiateStreaming(fetch("engine.wasm"));
  const wasm = instance.exports as unknown as Exports;
  const put = (text: string): [number, number] => {
    const bytes = new TextEncoder().encode(text);
    const at = wasm.reserve(bytes.length);
    new Uint8Array(wasm.memory.buffer, at, bytes.length).set(bytes);
    return [at, bytes.length];
  };
  return {
    ask(question, body) {
      const [name, content] = [put(question), put(JSON.stringify(body ?? {}))];
      const at = wasm.ask(...name, ...content);
      const view = new DataView(wasm.memory.buffer);
      const [status, length] = [view.getUint32(at, true), view.getUint32(at + 4, true)];
      const bytes = new Uint8Array(wasm.memory.buffer, at + 8, length).slice();
      wasm.release(at, length);
      const said: unknown = JSON.parse(new TextDecoder().decode(bytes));
      if (status !== 200) throw new Refusal(status, said as { error: string });
      return said;
    },
  };
}
