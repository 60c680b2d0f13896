// Every page in a real browser: by mouse, by keyboard alone, small and large, light and dark.

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { launch, open, serious, studio } from "./studio.mjs";

let site, browser;
const shots = process.env.SHOTS;

before(async () => {
  const runs = mkdtempSync(join(tmpdir(), "runs-"));
  mkdirSync(join(runs, "mine"));
  const lines = Array.from({ length: 40 }, (_, i) => JSON.stringify({ what: "steps", step: 10 * i, total: 9 - i / 8 }));
  const exams = [100, 200, 300].map((step) => JSON.stringify({ what: "validation", step, puzzles: 1, seconds: 1, raven: step / 4, layouts: {} }));
  writeFileSync(join(runs, "mine/metrics.jsonl"), [...lines, ...exams].join("\n") + "\n");
  const weights = new URL("../../../../weights/pgm-64-cpu.safetensors", import.meta.url).pathname;
  // One after the other, so that what was started is known, and ended, if the next fails.
  browser = await launch();
  site = await studio("--runs", runs, "--model", weights);
});

after(async () => {
  await browser?.close();
  assert.equal(await site?.end(), 0);
});

async function shot(page, name) {
  if (shots) await page.screenshot({ path: `${shots}/${name}.png`, fullPage: true });
}

/** Opens a page, does something on it, and finds nothing to complain about. */
async function on(hash, work, { refusals = 0, ...options } = {}) {
  const { page, faults, context } = await open(browser, site.address, options);
  await page.goto(`${site.address}#${hash}`);
  await work(page);
  // The browser itself reports each request that was refused.
  const reported = faults.filter((fault) => /status of 4\d\d/.test(fault));
  assert.deepEqual(faults.filter((fault) => !reported.includes(fault)), []);
  assert.equal(reported.length, refusals, reported.join());
  await context.close();
}

test("the first page is small and soon there", async () => {
  const { page, faults, context } = await open(browser, site.address);
  const bodies = [];
  page.on("response", (response) => {
    if (response.url().startsWith("http")) bodies.push(response.body());
  });
  await page.goto(site.address);
  await page.waitForSelector(".choice");
  await page.waitForLoadState("networkidle");
  const bytes = (await Promise.all(bodies)).reduce((sum, body) => sum + body.length, 0);
  const shown = await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0].startTime);
  console.log(`first page: ${bytes} bytes, first paint after ${Math.round(shown)} ms`);
  assert.ok(bytes > 40_000 && bytes < 300_000, `${bytes} bytes`);
  // Below one second on two idle cores; others may be at work where this is tested.
  assert.ok(shown < 10_000, `${shown} ms`);
  assert.deepEqual(faults, []);
  await context.close();
});

test("a puzzle is played by mouse, and explained", () => on("play/iraven/3x3/7/2", async (page) => {
  await page.waitForSelector(".choice");
  const made = await (await page.request.post(`${site.address}api/make`, { data: { puzzle: { set: "iraven", kind: "3x3", seed: 7, index: 2 } } })).json();
  const { target, broken } = made.puzzles[0];
  const wrong = (target + 1) % 8;
  await page.locator(".choice").nth(wrong).click();
  await page.getByRole("button", { name: "Answer" }).click();
  await page.waitForSelector(".feedback h2");
  assert.match(await page.textContent(".feedback h2"), /Not right/);
  assert.ok((await page.textContent(".reasons")).includes(broken[wrong][0]));
  // Names of rules are explained.
  assert.match(await page.textContent(".rules"), /distribute-three – the same three in every row/);
  assert.equal(await page.locator(".choice.right .number").textContent(), String(target + 1));
  await page.getByRole("button", { name: "What does the model say?" }).click();
  await page.waitForSelector(".model p");
  assert.match(await page.textContent(".model"), /The model \(raven-rules-64\) chose \d, .*\. \d+\s% sure/);
  await shot(page, "play");
  assert.deepEqual(await serious(page), []);
  await page.getByRole("button", { name: "Next puzzle" }).click();
  await page.waitForFunction(() => !document.querySelector(".feedback h2"));
}));

test("so many changing rules as are asked for, where there can be so many", () => on("play/raven/l-r/7/1", async (page) => {
  await page.waitForSelector(".choice");
  const offered = () => page.getByLabel("Changing rules").locator("option").allTextContents();
  assert.deepEqual(await offered(), ["any", "1 or 2", "3 or 4", "5 or 6"]);
  await page.getByLabel("Changing rules").selectOption("5 or 6");
  const kinds = [];
  for (let i = 0; i < 5; i++) {
    const old = await page.evaluate(() => location.hash);
    await page.getByRole("button", { name: "New puzzle" }).click();
    await page.waitForFunction((old) => location.hash !== old, old);
    kinds.push((await page.evaluate(() => location.hash)).split("/")[2]);
  }
  assert.ok(kinds.every((kind) => ["l-r", "u-d", "o-ic", "o-ig"].includes(kind)), kinds.join());
  assert.ok(kinds.every((kind, i) => kind !== kinds[i - 1]), `none twice in a row: ${kinds}`);
  await page.getByLabel("Layout").selectOption("3x3");
  assert.deepEqual(await offered(), ["any", "1 or 2", "3 or 4"]);
  await page.getByLabel("Puzzles").selectOption("vad");
  assert.equal(await page.getByLabel("Changing rules").count(), 0);
}));

test("whoever answers with nothing is told, and no longer than that", () => on("play/iraven/c-s/7/1", async (page) => {
  await page.waitForSelector(".choice");
  await page.getByRole("button", { name: "Answer", exact: true }).click();
  await page.waitForSelector(".error:has-text('choose a panel first')");
  await page.keyboard.press("1");
  await page.keyboard.press("Enter");
  await page.waitForSelector(".feedback h2");
  assert.equal(await page.locator("main .error").count(), 0);
  await page.context().grantPermissions(["clipboard-write", "clipboard-read"]);
  await page.getByRole("button", { name: "Copy link" }).click();
  await page.waitForSelector("button:has-text('✓ copied')");
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), `${site.address}#play/iraven/c-s/7/1`);
}));

test("a puzzle is played by keyboard alone", () => on("play/raven/l-r/7/1", async (page) => {
  await page.waitForSelector(".choice");
  await page.keyboard.press("3");
  assert.equal(await page.locator('[aria-checked="true"] .number').textContent(), "3");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowDown");
  const at = Number(await page.locator('[aria-checked="true"] .number').textContent());
  assert.ok(at === 8, `${at}`);
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Enter");
  await page.waitForSelector(".feedback h2");
  const focused = await page.evaluate(() => document.activeElement.textContent);
  assert.equal(focused, "Next puzzle");
  const link = await page.evaluate(() => location.hash);
  await page.keyboard.press("Enter");
  await page.waitForFunction((old) => location.hash !== old, link);
}));

test("every control is reached by Tab, and the skip link works", () => on("play/iraven/c-s/7/0", async (page) => {
  await page.waitForSelector(".choice");
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.className), "skip");
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate(() => document.activeElement.id), "main");
  const reached = new Set();
  for (let i = 0; i < 12; i++) {
    await page.keyboard.press("Tab");
    reached.add(await page.evaluate(() => document.activeElement.textContent.slice(0, 12) + document.activeElement.tagName));
  }
  assert.ok([...reached].some((name) => name.startsWith("AnswerBUTTON")), [...reached].join());
}));

for (const [set, kind] of [["iraven", "2x2"], ["pgm", "neutral"], ["vad", "interpolation"]]) {
  test(`an answer of ${set} is built and marked`, () => on(`play/${set}/${kind}/7/2`, async (page) => {
    await page.waitForSelector(".choice");
    await page.getByLabel("Answer by").selectOption("build");
    await page.goto(`${site.address}#play/${set}/${kind}/7/3`);
    await page.waitForSelector(".preview img");
    const empty = await page.locator(".preview img").getAttribute("src");
    await page.locator(".slot").first().click();
    await page.waitForFunction((old) => document.querySelector(".preview img")?.src !== old, empty);
    await page.getByRole("button", { name: "Answer" }).click();
    await page.waitForSelector(".feedback h2");
    assert.match(await page.textContent(".feedback h2"), /Right|Not right/);
    await shot(page, `build-${set}`);
    assert.deepEqual(await serious(page), []);
  }));
}

test("a built answer that keeps the rules is right", () => on("play/iraven/c-s/7/2", async (page) => {
  await page.waitForSelector(".choice");
  const puzzle = { set: "iraven", kind: "c-s", seed: 7, index: 3 };
  let right;
  for (let i = 0; i < 300 && !right; i++) {
    const object = { slot: 0, shape: 1 + (i % 5), size: Math.floor(i / 5) % 6, color: Math.floor(i / 30) };
    const mark = await page.request.post(`${site.address}api/mark`, { data: { puzzle, panel: { components: [[object]] } } });
    if ((await mark.json()).right) right = object;
  }
  await page.getByLabel("Answer by").selectOption("build");
  await page.goto(`${site.address}#play/iraven/c-s/7/3`);
  await page.waitForSelector(".builder");
  for (const [label, level] of [["Shape", right.shape], ["Size", right.size], ["Colour", right.color]]) {
    await page.getByLabel(label).selectOption({ value: String(level) });
  }
  await page.getByRole("button", { name: "Place the object" }).click();
  await page.getByRole("button", { name: "Answer" }).click();
  await page.waitForSelector(".feedback h2");
  assert.match(await page.textContent(".feedback h2"), /✓ Right/);
}));

test("the exam has a clock, a score and a file", () => on("play", async (page) => {
  await page.waitForSelector(".choice");
  await page.getByLabel("Mode").selectOption("exam");
  await page.getByLabel("Items").fill("2");
  await page.getByLabel("Items").blur();
  await page.getByLabel("Seconds each").fill("8");
  await page.getByLabel("Seconds each").blur();
  await page.getByRole("button", { name: "Start the exam" }).click();
  await page.waitForSelector(".clock");
  await page.keyboard.press("1");
  await page.keyboard.press("Enter");
  // The second item is left to the clock.
  await page.waitForSelector("h2:has-text('of 2 right')");
  assert.match(await page.textContent("tbody tr:nth-child(2)"), /timeout/);
  const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Save as CSV" }).click()]);
  const lines = readFileSync(await file.path(), "utf8").trim().split("\n");
  assert.equal(lines.length, 3);
  await shot(page, "exam");
}));

test("a link makes the same puzzle again", async () => {
  const pictures = [];
  for (let i = 0; i < 2; i++) {
    await on("play/vad/extrapolation/5/3", async (page) => {
      await page.waitForSelector(".choice");
      pictures.push(await page.locator(".matrix img").evaluateAll((all) => all.map((img) => img.src)));
    });
  }
  assert.deepEqual(pictures[0], pictures[1]);
});

test("a link to nothing says so, and the page still works", () => on("play/nonsense/3x3/1/0", async (page) => {
  await page.waitForSelector(".error:has-text('there is no set')");
  await page.getByRole("button", { name: "New puzzle" }).click();
  await page.waitForSelector(".choice");
  await page.goto(`${site.address}#make/iraven/nowhere/1/0`);
  await page.waitForSelector(".error:has-text('There are no puzzles of iraven nowhere')");
  await page.waitForSelector(".proof li");
  await page.goto(`${site.address}#play/pgm/neutral/1/0`);
  await page.waitForSelector(".about:has-text('PGM')");
  // A layout of another family is not asked of this one.
  await page.getByLabel("Puzzles").selectOption("iraven");
  await page.getByLabel("Layout").selectOption("3x3");
  await page.goto(`${site.address}#play/vad/interpolation/1/0`);
  await page.waitForSelector(".about:has-text('VAD')");
  await page.getByRole("button", { name: "New puzzle" }).click();
  await page.waitForFunction(() => !location.hash.startsWith("#play/vad/interpolation/1/0"));
  assert.match(await page.evaluate(() => location.hash), /^#play\/vad\//);
  assert.equal(await page.locator("main .error").count(), 0);
}, { refusals: 1 }));

test("whoever goes on before an answer comes stays there", () => on("play", async (page) => {
  await page.waitForSelector(".choice");
  const late = [];
  await page.route("**/api/make", (route) => void late.push(route));
  for (const [leave, stay] of [["play", "about"], ["make", "solve"]]) {
    await page.goto(`${site.address}#${leave}`);
    while (late.length === 0) await page.waitForTimeout(20);
    await page.goto(`${site.address}#${stay}`);
    await Promise.all([page.waitForResponse("**/api/make"), late.pop().continue()]);
    await page.waitForTimeout(200);
    assert.equal(await page.evaluate(() => location.hash), `#${stay}`);
  }
}));

test("textures stand for greys", () => on("play/iraven/3x3/7/2", async (page) => {
  await page.waitForSelector(".choice");
  const greys = () => page.locator(".panel").evaluateAll((all) => all.filter((i) => i.src?.includes("url(%23t")).length);
  assert.equal(await greys(), 0);
  await page.keyboard.press("2");
  await page.getByLabel("Textures instead of greys").check();
  await page.waitForFunction(() => [...document.querySelectorAll(".panel")].some((i) => i.src?.includes("url(%23t")));
  assert.equal(await page.locator('[aria-checked="true"] .number').textContent(), "2", "nothing else changes");
  await shot(page, "textures");
}));

test("rules are picked, impossible ones say why, and the item is proved", () => on("make/iraven/3x3/7/0", async (page) => {
  await page.waitForSelector(".proof li");
  assert.equal(await page.locator(".proof .bad").count(), 0, await page.textContent(".proof"));
  await page.getByLabel("number: progression", { exact: true }).click();
  await page.waitForFunction(() => document.querySelector(".rules")?.textContent.includes("number: progression"));
  const impossible = page.getByLabel(/^position: progression, impossible/);
  // Its state says that it is disabled; people click all the same.
  await impossible.click({ force: true });
  assert.match(await page.textContent(".why"), /share one rule/);
  assert.equal(await impossible.isChecked(), false);
  await page.getByRole("button", { name: "Clones" }).click();
  await page.waitForSelector(".clones .card");
  assert.equal(await page.locator(".clones .card").count(), 3);
  await page.getByRole("button", { name: "Add to the collection" }).click();
  await page.locator(".clones").getByRole("button", { name: "Add" }).first().click();
  assert.match(await page.textContent("#collection-title"), /2 items/);
  await shot(page, "make");
  assert.deepEqual(await serious(page), []);
  await page.reload();
  await page.waitForSelector(".proof li");
  assert.match(await page.textContent("#collection-title"), /2 items/, "kept by the browser");
  for (const [format, begin] of [["pdf", "%PDF"], ["csv", "item,layout"], ["moodle", "<?xml"], ["jspsych", "PK"], ["psychopy", "PK"], ["npz", "PK"], ["png", "PK"], ["sheet", "PK"]]) {
    await page.locator(".collection select").first().selectOption(format);
    const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Save" }).click()]);
    assert.ok(readFileSync(await file.path(), "latin1").startsWith(begin), format);
  }
}));

for (const [set, kind, rule] of [["pgm", "neutral", "shape.color: XOR"], ["vad", "interpolation", "source.shape.color: XOR"]]) {
  test(`rules of ${set} are picked`, () => on(`make/${set}/${kind}/7/0`, async (page) => {
    await page.waitForSelector(".proof li");
    await page.getByLabel(rule, { exact: true }).click();
    if (set === "vad") {
      await page.waitForFunction(() => document.querySelector(".why")?.textContent.length > 0);
      await page.getByLabel("target.line.type: XOR", { exact: true }).click();
    }
    await page.waitForFunction(() => document.querySelector(".rules")?.textContent.includes("XOR"));
    assert.equal(await page.textContent(".why"), "");
    await shot(page, `make-${set}`);
  }));
}

test("three values are handed out as stated", () => on("make/iraven/3x3/7/0", async (page) => {
  await page.waitForSelector(".proof li");
  await page.getByLabel("color: distribute-three", { exact: true }).click();
  const values = page.getByLabel(/^color: three values from 0 to 9/);
  await values.fill("1, 4 7");
  await values.press("Enter");
  await page.waitForFunction(() => location.hash.includes("distribute-three%3A1%2F4%2F7"));
  await page.waitForSelector(".proof li");
  assert.equal(await page.textContent(".why"), "");
  await values.fill("1/1/12");
  await values.press("Enter");
  await page.waitForFunction(() => document.querySelector(".why")?.textContent.includes("three different values"));
}));

/** A puzzle as an npz file, and its panels as single pictures. */
async function files(page, set, kind) {
  const item = { items: [{ set, kind, seed: 7 }], format: "npz" };
  const npz = await (await page.request.post(`${site.address}api/item/export`, { data: item })).body();
  const file = { name: "puzzle.npz", mimeType: "application/zip", buffer: npz };
  const cut = await page.request.post(`${site.address}api/panels`, { multipart: { file } });
  const { panels } = await cut.json();
  const single = (address, i) => ({ name: `panel_${i + 1}.png`, mimeType: "image/png", buffer: Buffer.from(address.split(",")[1], "base64") });
  return { file, pictures: panels.map(single) };
}

async function solveThem(page, taken, count) {
  await page.getByLabel(/Choose a puzzle/).setInputFiles(taken);
  await page.waitForSelector("h2:has-text('Are these the panels?')");
  assert.equal(await page.locator(".found .panel").count(), count);
  await page.getByRole("button", { name: "Solve these panels" }).click();
  await page.waitForSelector("h2:has-text('Exact solver')");
}

test("a file is confirmed and solved, and nonsense is refused in words", () => on("solve", async (page) => {
  const { file } = await files(page, "iraven", "2x2");
  await solveThem(page, file, 16);
  assert.match(await page.textContent(".two"), /Model raven-rules-64: choice/);
  await page.getByLabel("Expert").selectOption("full");
  assert.match(await page.textContent(".heat caption"), /full/);
  await shot(page, "solve");
  assert.deepEqual(await serious(page), []);
  await page.getByLabel("Model").selectOption("raven-cpu-64");
  await page.getByRole("button", { name: "Solve these panels" }).click();
  await page.waitForSelector("h2:has-text('Model raven-cpu-64: choice')");
  await page.getByLabel(/Choose a puzzle/).setInputFiles({ name: "x.npz", mimeType: "application/zip", buffer: Buffer.from("nonsense") });
  await page.waitForSelector(".error");
  assert.match(await page.textContent(".error"), /neither an npz file nor a PNG/);
  await page.getByLabel(/Choose a puzzle/).setInputFiles({ name: "x.npz", mimeType: "application/zip", buffer: Buffer.alloc(9 << 20) });
  await page.waitForSelector(".error:has-text('more than 8 MB')");
}, { refusals: 1 }));

for (const [set, kind, count, model] of [["iraven", "c-s", 16, /Model raven-rules-64/], ["pgm", "neutral", 16, /Model pgm-64-cpu/], ["vad", "interpolation", 9, /Model vad-64-cpu/]]) {
  test(`files and single pictures of ${set} are solved`, () => on("solve", async (page) => {
    const { file, pictures } = await files(page, set, kind);
    await solveThem(page, file, count);
    assert.match(await page.textContent(".two"), model);
    const answer = await page.textContent(".two h2");
    if (set === "pgm") {
      await page.getByLabel(/^Family/).selectOption("pgm");
      await page.waitForSelector("p:has-text('read as pgm')");
    }
    await solveThem(page, pictures.slice().reverse(), count);
    assert.match(await page.textContent(".two"), model);
    assert.equal(await page.textContent(".two h2"), answer);
    await shot(page, `solve-${set}`);
    assert.deepEqual(await serious(page), []);
  }));
}

test("pictures are put in order, and dropped by mouse or taken by keyboard", () => on("solve", async (page) => {
  const { pictures } = await files(page, "vad", "interpolation");
  const data = await page.evaluateHandle((all) => {
    const transfer = new DataTransfer();
    for (const [name, base64] of all) transfer.items.add(new File([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))], name, { type: "image/png" }));
    return transfer;
  }, pictures.map((p) => [p.name, p.buffer.toString("base64")]));
  await page.dispatchEvent(".drop", "drop", { dataTransfer: data });
  await page.waitForSelector(".found .file");
  const names = () => page.locator(".found .file").allTextContents();
  assert.deepEqual((await names()).slice(0, 2), ["panel_1.png", "panel_2.png"]);
  await page.getByLabel("Move panel_2.png one place back").focus();
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.querySelector(".found .file")?.textContent === "panel_2.png");
  await page.getByRole("button", { name: "Solve these panels" }).focus();
  await page.keyboard.press("Enter");
  await page.waitForSelector("h2:has-text('Exact solver')");
}));

test("a printed item is read from a JPEG scan of it", () => on("solve", async (page) => {
  const puzzle = { set: "iraven", kind: "2x2", seed: 7 };
  const { puzzles } = await (await page.request.post(`${site.address}api/make`, { data: { puzzle } })).json();
  const png = await (await page.request.post(`${site.address}api/item/export`, { data: { items: [puzzle], format: "png" } })).body();
  const jpeg = await page.evaluate(async (base64) => {
    const bitmap = await createImageBitmap(new Blob([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))]));
    const canvas = Object.assign(document.createElement("canvas"), { width: bitmap.width, height: bitmap.height });
    canvas.getContext("2d").drawImage(bitmap, 0, 0);
    return canvas.toDataURL("image/jpeg", 0.85).split(",")[1];
  }, png.toString("base64"));
  await solveThem(page, { name: "scan.jpg", mimeType: "image/jpeg", buffer: Buffer.from(jpeg, "base64") }, 16);
  assert.match(await page.textContent(".two h2"), new RegExp(`choice ${puzzles[0].target + 1}$`));
  await page.getByLabel(/Choose a puzzle/).setInputFiles({ name: "x.jpg", mimeType: "image/jpeg", buffer: Buffer.from("nonsense") });
  await page.waitForSelector(".error:has-text('x.jpg: not a picture')");
}));

/** Presses Tab until an element of that name has the focus. */
async function tabTo(page, name) {
  for (let i = 0; i < 200; i++) {
    const now = await page.evaluate(() => {
      const at = document.activeElement;
      return at.getAttribute("aria-label") ?? at.closest("label")?.querySelector(".label")?.textContent ?? at.textContent;
    });
    if (now.trim() === name) return;
    await page.keyboard.press("Tab");
  }
  assert.fail(`Tab does not lead to ${name}`);
}

test("every page is used by keyboard alone", () => on("play/iraven/c-s/7/0", async (page) => {
  // From the beginning on: the browser hands choosers over once it has been told to, which takes longer than a key press.
  const chooser = page.waitForEvent("filechooser", { timeout: 600_000 });
  const key = (name) => page.keyboard.press(name);
  const go = async (name) => {
    await page.evaluate(() => document.activeElement.blur());
    await tabTo(page, name);
    await key("Enter");
    await page.waitForSelector(`h1:text-is("${name}")`);
  };
  await page.waitForSelector(".choice");
  await go("Make");
  await page.waitForSelector(".proof li");
  await tabTo(page, "type: any");
  // The first rule to the right of "any".
  await key("ArrowRight");
  await page.waitForFunction(() => document.querySelector(".rules")?.textContent.includes("type: constant"));
  await tabTo(page, "Add to the collection");
  await key("Enter");
  await tabTo(page, "As");
  await page.keyboard.type("Key");
  await tabTo(page, "Save");
  const [file] = await Promise.all([page.waitForEvent("download"), key("Enter")]);
  assert.equal(file.suggestedFilename(), "items.csv");
  await go("Solve");
  await page.waitForSelector("#file");
  await page.evaluate(() => document.activeElement.blur());
  for (let i = 0; i < 30 && !(await page.evaluate(() => document.activeElement.id === "file")); i++) await key("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.id), "file", "Tab leads to the files");
  await key("Enter");
  await (await chooser).setFiles((await files(page, "iraven", "c-s")).file);
  await page.waitForSelector("h2:has-text('Are these the panels?')");
  await tabTo(page, "Solve these panels");
  await key("Enter");
  await page.waitForSelector("h2:has-text('Exact solver')");
  await go("Imagine");
  await tabTo(page, "Puzzles");
  await key("ArrowDown");
  await tabTo(page, "Imagine");
  await key("Enter");
  await page.waitForFunction(() => document.querySelectorAll("article.card").length === 3);
  await go("Look inside");
  await page.waitForSelector(".traversal img");
  const first = await page.locator(".traversal").innerHTML();
  await tabTo(page, "Panel");
  await key("ArrowDown");
  await page.waitForFunction((old) => document.querySelector(".traversal")?.innerHTML !== old, first);
  assert.equal(await page.evaluate(() => document.activeElement.value), "1", "whoever turns it stays there");
  await go("About");
  await page.waitForSelector("pre");
  await tabTo(page, "/api/openapi.json");
}));

test("drawings come one by one, and can be stopped", () => on("imagine", async (page) => {
  await page.getByLabel("Puzzles").fill("2");
  await page.getByLabel("Puzzles").blur();
  await page.getByRole("button", { name: "Imagine" }).click();
  await page.waitForSelector(".card .verdict");
  await page.waitForFunction(() => document.querySelectorAll("article.card").length === 2);
  assert.equal(await page.locator("article.card").first().locator(".matrix").count(), 3);
  await page.getByRole("button", { name: "Draw answers" }).click();
  await page.waitForSelector(".panel.drawn");
  await shot(page, "imagine");
  assert.deepEqual(await serious(page), []);
  const idle = async () => (await (await page.request.get(`${site.address}api/health`)).json()).jobs.drawing.running === 0;
  for (const [label, start] of [["Puzzles", "Imagine"], ["Answers", "Draw answers"]]) {
    await page.getByLabel(label, { exact: true }).fill("16");
    await page.getByLabel(label, { exact: true }).blur();
    await page.getByRole("button", { name: start, exact: true }).click();
    await page.getByRole("button", { name: "Stop" }).click();
    await page.waitForSelector("[role=status]:has-text('stopped')");
    const until = Date.now() + 180_000;
    while (!(await idle())) assert.ok(Date.now() < until, "the model still draws");
  }
}));

test("a page that comes late does not take the place of the next", () => on("play", async (page) => {
  await page.waitForSelector(".choice");
  let answer;
  const asked = new Promise((resolve) => {
    void page.route("**/api/model", (route) => {
      answer = () => route.continue();
      resolve();
    });
  });
  await page.goto(`${site.address}#about`);
  await asked;
  await page.goto(`${site.address}#imagine`);
  await page.waitForSelector("h1:has-text('Imagine')");
  await Promise.all([page.waitForResponse("**/api/model"), answer()]);
  await page.waitForLoadState("networkidle");
  assert.equal(await page.textContent("h1"), "Imagine");
}));

test("the model is looked into, and runs are watched", () => on("inside", async (page) => {
  await page.waitForSelector(".traversal img");
  assert.equal(await page.locator(".pairs figure").count(), 16);
  // One model all through: its experts read the numbers that are turned.
  assert.match(await page.textContent("main"), /raven-cpu-64: \d+ numbers a panel/);
  assert.equal(await page.locator(".traversal tbody tr").count(), 8);
  await page.waitForSelector(".curve polyline");
  assert.match((await page.locator(".curves figcaption").allTextContents()).join("\n"), /^loss: 4.125 to 9.*\nraven: 25 to 75, now 75/);
  await page.waitForSelector(".heat");
  await shot(page, "inside");
  assert.deepEqual(await serious(page), []);
}));

test("the cards are shown", () => on("about", async (page) => {
  await page.waitForSelector("pre");
  assert.match(await page.textContent("pre"), /raven-cpu-64/);
  assert.match(await page.textContent("main"), /raven-rules-64: puzzles of raven, answers where none is named/);
  for (const name of ["raven-rules-64", "pgm-64-cpu", "vad-64-cpu"]) {
    await page.locator("main").getByRole("combobox", { name: /^Model/ }).selectOption(name);
    await page.waitForSelector(`pre:has-text("${name}")`);
  }
  assert.deepEqual(await serious(page), []);
}));

for (const width of [360, 1920]) {
  for (const colorScheme of ["light", "dark"]) {
    test(`readable at ${width} px, ${colorScheme}`, async () => {
      for (const hash of ["play/iraven/o-ig/7/0", "make/pgm/neutral/7/0", "solve", "imagine", "inside", "about"]) {
        await on(hash, async (page) => {
          await page.waitForSelector("main h1");
          if (hash.startsWith("play")) await page.waitForSelector(".choice");
          if (hash.startsWith("make")) await page.waitForSelector(".proof li");
          if (hash === "inside") await page.waitForSelector(".traversal img");
          const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
          assert.ok(wide <= 0, `${hash} is ${wide} px too wide`);
          const found = await serious(page);
          assert.deepEqual(found, [], hash);
          await shot(page, `${hash.split("/")[0]}-${width}-${colorScheme}`);
        }, { viewport: { width, height: 800 }, colorScheme });
      }
    });
  }
}
