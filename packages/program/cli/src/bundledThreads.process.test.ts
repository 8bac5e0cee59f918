import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const bundle = fileURLToPath(new URL("../dist/bundle/", import.meta.url));
const isThere = existsSync(`${bundle}readerThread.js`);
const textOf = (file: string) => readFileSync(`${bundle}${file}`, "utf8");

/** Returns the files that a thread has loaded once it runs; files that it loads on demand are not among them. */
function loadedBy(thread: string): readonly string[] {
  const loaded = new Set([thread]);
  for (const file of loaded)
    for (const [, imported] of textOf(file).matchAll(/(?:\bfrom|\bimport)\s*"\.\/([^"]+)"/g)) loaded.add(imported!);
  return [...loaded];
}

/** Matches f1r3node's interpreter: an error that only its programs can end with, and a method that only they have. */
const isOfF1r3nodeInterpreter = (file: string) => /unknown prost::Message|"readZipper"/.test(textOf(file));

test.runIf(isThere).each(["readerThread.js", "executorThread.js", "blockDecodingThread.js", "queryProcess.js"])(
  "%s of an rnode network holds nothing of f1r3node's interpreter",
  (thread) => {
    const all = readdirSync(bundle).filter((file) => file.endsWith(".js"));
    expect(all.some(isOfF1r3nodeInterpreter)).toBe(true);
    expect(loadedBy(thread).filter(isOfF1r3nodeInterpreter)).toEqual([]);
  },
);
