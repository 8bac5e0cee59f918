import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { packageFolder } from "./packageFolders.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const docs = join(root, "docs");
const protocol = join(docs, "protocol");
const chapters = new Map(
  readdirSync(protocol).map((file) => {
    const headings = readFileSync(join(protocol, file), "utf8").matchAll(/^#{1,6} +([\dA-Z]+(?:\.\d+)*)[.\s]/gm);
    const appendices = readFileSync(join(protocol, file), "utf8").matchAll(/^#{1,6} +Appendix ([A-Z])\b/gm);
    return [file.slice(0, 2), new Set([...headings, ...appendices].map(([, number]) => number!))] as const;
  }),
);

test("every word of the glossary has its place in the protocol, or in the code", () => {
  const rows = [...readFileSync(join(docs, "glossary.md"), "utf8").matchAll(/^\| ([^|]+) \| [^|]+ \| ([^|]+) \|$/gm)]
    .map(([, word, place]) => ({ word: word!, place: place! }))
    .filter(({ word }) => word !== "word");
  expect(rows.length).toBeGreaterThan(80);
  expect(new Set(rows.map(({ word }) => word)).size).toBe(rows.length);
  for (const { word, place } of rows) {
    const section = /^(\d\d) §([\dA-Z.]+)/.exec(place);
    if (section !== null) expect(chapters.get(section[1]!)?.has(section[2]!), `${word}: ${place}`).toBe(true);
    else expect(() => readFileSync(codeAt(place)), `${word}: ${place}`).not.toThrow();
  }
});

/** The file that `` `chain/dag/breath` `` means. */
function codeAt(place: string): string {
  const [name, ...path] = place.replaceAll("`", "").split("/");
  return join(root, packageFolder(root, name!)!, "src", `${path.join("/")}.ts`);
}
