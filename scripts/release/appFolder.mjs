// The program with all that it imports, ready to be run by a Node.js: what the image and the packages with a Node.js
// of their own have in them.
import { cpSync, existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { readJson, root } from "./checkout.mjs";
import { stageProgram } from "./programPackage.mjs";

const system = `${process.platform}-${process.arch}`;
const isMusl = existsSync("/etc/alpine-release");

/** Makes the folder. What strangers wrote comes from the checkout's `node_modules`, as `npm ci` has put it there. */
export async function makeApp(folder) {
  await stageProgram(folder);
  const lock = join(folder, "npm-shrinkwrap.json");
  for (const [place, { optional = false }] of Object.entries(readJson(lock).packages)) {
    if (place === "" || (optional && !existsSync(join(root, place)))) continue;
    const own = join(root, place);
    cpSync(own, join(folder, place), { recursive: true, filter: (path) => path !== join(own, "node_modules") });
  }
  rmSync(lock);
  prune(join(folder, "node_modules"));
}

const unwantedFolders = new Set([
  "test",
  "tests",
  "__tests__",
  "example",
  "examples",
  "benchmark",
  ".github",
  "docs",
  ".bin",
]);
const unwantedFiles = /(\.d\.[cm]?ts|\.map|\.md|\.markdown|\.c|\.cc|\.cpp|\.h|\.gyp|\.ts|^\.package-lock\.json)$/i;
const notices = /^(licen[cs]e|notice|copying)/i;

/** Takes away what a running node never reads: sources, tests, maps, descriptions, native modules of other systems. */
function prune(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (isUnwanted(entry, folder)) rmSync(path, { recursive: true });
    else if (entry.isDirectory()) prune(path);
  }
}

function isUnwanted(entry, folder) {
  if (entry.isDirectory()) {
    const isOtherSystem = folder.endsWith("/prebuilds") && entry.name !== system;
    return isOtherSystem || unwantedFolders.has(entry.name);
  }
  if (entry.name.endsWith(".node")) return entry.name.includes(isMusl ? "glibc" : "musl");
  return unwantedFiles.test(entry.name) && !notices.test(entry.name);
}
