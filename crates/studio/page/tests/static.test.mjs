// The folder of scripts/studio-static.sh on a web server that knows nothing but files.
// DIST_STATIC names the folder; without it these tests are skipped.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { once } from "node:events";
import { after, before, test } from "node:test";
import { launch, open, serious } from "./studio.mjs";

const folder = process.env.DIST_STATIC;
const skip = folder ? false : "DIST_STATIC names no folder";
const TYPES = { html: "text/html", js: "text/javascript", css: "text/css", svg: "image/svg+xml", wasm: "application/wasm" };
// As the script's head says.
const POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; connect-src 'self'; img-src 'self' data: blob:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";
let server, browser, address;

before(async () => {
  if (skip) return;
  server = createServer((request, response) => {
    const name = request.url === "/" ? "index.html" : request.url.slice(1);
    if (!/^[a-z]+\.[a-z]+$/.test(name)) return void response.writeHead(404).end();
    response.writeHead(200, { "Content-Type": TYPES[name.split(".")[1]], "Content-Security-Policy": POLICY });
    response.end(readFileSync(`${folder}/${name}`));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  address = `http://127.0.0.1:${server.address().port}/`;
  browser = await launch();
});

after(async () => {
  await browser?.close();
  server?.close();
});

async function on(hash, work) {
  const { page, faults, context } = await open(browser, address);
  await page.goto(`${address}#${hash}`);
  await work(page);
  assert.deepEqual(faults, []);
  await context.close();
}

test("puzzles are played without a server", { skip }, () => on("play/iraven/3x3/7/2", async (page) => {
  await page.waitForSelector(".choice");
  assert.deepEqual(await page.locator("#nav a").allTextContents(), ["Play", "Make", "About"]);
  await page.keyboard.press("1");
  await page.keyboard.press("Enter");
  await page.waitForSelector(".feedback h2");
  assert.match(await page.textContent(".feedback h2"), /Right|Not right/);
  assert.deepEqual(await serious(page), []);
}));

for (const [set, kind] of [["iraven", "2x2"], ["pgm", "neutral"], ["vad", "interpolation"]]) {
  test(`items of ${set} are made, proved and written without a server`, { skip }, () => on(`make/${set}/${kind}/7/0`, async (page) => {
    await page.waitForSelector(".proof li");
    assert.equal(await page.locator(".proof .bad").count(), 0, await page.textContent(".proof"));
    await page.getByRole("button", { name: "Add to the collection" }).click();
    for (const [format, begin] of [["pdf", "%PDF"], ["csv", "item,layout"], ["moodle", "<?xml"], ["png", "\x89PNG"]]) {
      await page.locator(".collection select").first().selectOption(format);
      const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Save" }).click()]);
      assert.ok(readFileSync(await file.path(), "latin1").startsWith(begin), format);
    }
    assert.equal(await page.locator(".collection option[value=npz]").count(), 0);
  }));
}
