import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { filesBelow } from "./filesHash.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const named = /new URL\("(\.[^"]*\/[^"/]+\.\w+)", import\.meta\.url\)/g;

test("files that modules name are where the compiled module looks for them", () => {
  const lost = filesBelow(join(root, "packages"))
    .filter((path) => /\/src\/.*\.ts$/.test(path) && !path.includes("/node_modules/"))
    .flatMap((path) => {
      const from = dirname(path.replace(/\/src\/(?!.*\/src\/)/, "/dist/"));
      const names = [...readFileSync(path, "utf8").matchAll(named)].map(([, name]) => name!);
      return names.filter((name) => !isThere(join(from, name))).map((name) => `${relative(root, path)}: ${name}`);
    });
  expect(lost).toEqual([]);
});

/** A compiled module is there where its source is. */
function isThere(path: string): boolean {
  const source = path.replace(/\/dist\/(?!.*\/dist\/)/, "/src/").replace(/\.js$/, ".ts");
  return existsSync(path.endsWith(".js") && path.includes("/dist/") ? source : path);
}
