// Builds the page: dist/ for the program (committed, so that nobody needs Node), or, with
// --static DIR --wasm FILE, a folder that any web server can host. --check compares with dist/.
import { build } from "esbuild";
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";

const { values } = parseArgs({
  options: { static: { type: "string" }, wasm: { type: "string" }, check: { type: "boolean" } },
});
const isStatic = values.static !== undefined;
const bundled = await build({
  entryPoints: ["src/app.ts"],
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  charset: "utf8",
  legalComments: "none",
  define: { STATIC: String(isStatic) },
  write: false,
});
const files = new Map([["app.js", bundled.outputFiles[0].text]]);
for (const name of ["index.html", "style.css", "icon.svg"]) {
  files.set(name, await readFile(`src/${name}`, "utf8"));
}
if (values.check) {
  for (const [name, text] of files) {
    const committed = await readFile(`dist/${name}`, "utf8").catch(() => "");
    if (committed !== text) {
      console.error(`dist/${name} is not what src/ builds: run npm run build`);
      process.exit(1);
    }
  }
} else {
  const out = isStatic ? values.static : "dist";
  await mkdir(out, { recursive: true });
  for (const [name, text] of files) await writeFile(`${out}/${name}`, text);
  if (isStatic) await cp(values.wasm, `${out}/engine.wasm`);
}
