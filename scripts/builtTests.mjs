// Tests as they were built: what Node.js loads by itself starts sooner and runs at the speed of the program.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
/** Modules can be put in another's place only where all that loads them is translated when it runs. */
const replacesModules = /\bvi\.mock\(/;

/** Puts what was built of a test file in its place. Files of which nothing is built run as they are. */
export function builtTests() {
  return {
    name: "built-tests",
    enforce: "pre",
    load(id) {
      const built = /\.test\.ts$/.test(id) ? id.replace(/\/src\/(?!.*\/src\/)/, "/dist/").replace(/ts$/, "js") : id;
      if (built === id || !existsSync(built) || replacesModules.test(readFileSync(id, "utf8"))) return undefined;
      return `import ${JSON.stringify(built)};`;
    },
  };
}

/** Before the first test: what runs is what is written. */
export function setup() {
  if (process.env["VEDETTE_IS_BUILT"] === "true") return;
  execFileSync(process.execPath, [join(root, "scripts/build.mjs")], { stdio: "inherit" });
}

/** Behind the last test. */
export function teardown() {
  rmSync(process.env["VEDETTE_CONTEXTS"], { force: true });
}
