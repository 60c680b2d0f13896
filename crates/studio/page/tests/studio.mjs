// A studio and a browser for tests. GENVP names the program; CHROMIUM the browser.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { chromium } from "playwright-core";

const require = createRequire(import.meta.url);
const AXE = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

export const program = process.env.GENVP ?? new URL("../../../../target/release/genvp", import.meta.url).pathname;

/** Starts a studio; gives its address and what ends it. */
export async function studio(...args) {
  const child = spawn(program, ["serve", "--bind", "127.0.0.1:0", ...args], { stdio: ["ignore", "pipe", "inherit"] });
  // A program that cannot be started, or ends at once, is a failure, not something to wait for.
  const address = await Promise.race([
    once(child.stdout, "data").then(([line]) => String(line).trim()),
    once(child, "exit").then(([code]) => Promise.reject(new Error(`${program} ended with ${code}`))),
  ]);
  return {
    address,
    pid: child.pid,
    async end() {
      child.kill("SIGTERM");
      const [code] = child.exitCode === null ? await once(child, "exit") : [child.exitCode];
      return code;
    },
  };
}

export function launch() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox"],
  });
}

/** A page on which every error of the console, and every request elsewhere, is noted. */
export async function open(browser, address, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1200, height: 900 }, ...options });
  const page = await context.newPage();
  if (process.env.PAGE) await context.route(/\/(app\.js|style\.css)?(#.*)?$/, fromFolder);
  const faults = [];
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") faults.push(message.text());
  });
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(address) && !url.startsWith("data:") && !url.startsWith("blob:")) faults.push(`request to ${url}`);
  });
  // Generous: other work may share the machine.
  page.setDefaultTimeout(180_000);
  return { page, faults, context };
}

/** With PAGE=dist, the page as it was just built, in the program's place: nothing needs compiling meanwhile. */
async function fromFolder(route) {
  const name = new URL(route.request().url()).pathname.slice(1) || "index.html";
  const body = readFileSync(`${process.env.PAGE}/${name}`);
  const headers = { ...(await route.fetch()).headers(), "content-length": String(body.length) };
  await route.fulfill({ headers, body });
}

/** What axe finds serious. Through the debugger, because a script tag would break the policy. */
export async function serious(page) {
  const session = await page.context().newCDPSession(page);
  await session.send("Runtime.evaluate", { expression: AXE });
  const run = "axe.run().then((r) => JSON.stringify(r.violations))";
  const { result } = await session.send("Runtime.evaluate", { expression: run, awaitPromise: true });
  return JSON.parse(result.value)
    .filter((v) => v.impact === "serious" || v.impact === "critical")
    .map((v) => `${v.id}: ${v.nodes.map((n) => n.html).slice(0, 3).join(" | ")}`);
}
