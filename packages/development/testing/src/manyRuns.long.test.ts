// Covers: crypto, protocol, terms, tuplespace, rholang, language, execution, chain, light, store, node, sync, replication/stream, server
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { findRecordings } from "./findRecordings.js";

const packages = fileURLToPath(new URL("../../../", import.meta.url));
const saysRuns = /^import \{[^}]*\b(?:runs|usualCases|usualChains)\b[^}]*\} from "@vedette\/testing";$/m;
const isUsual = /^[^/]+\/[^/]+\/src\/(?!.*\.(?:process|network|browser|release|long|isolated)\.test\.ts$).*\.test\.ts$/;
const files = readdirSync(packages, { recursive: true, encoding: "utf8" })
  .filter((path) => isUsual.test(path) && readFileSync(join(packages, path), "utf8").match(saysRuns))
  .filter((path) => findRecordings() !== undefined || !path.includes(".recorded."))
  .sort();

test("there are files that try more in a long run", () => {
  expect(files).not.toEqual([]);
});

// The setup of a file is for its own tests.
describe.each(files)("%s", async (path) => {
  await import(join(packages, path.replace("/src/", "/dist/").replace(/ts$/, "js")));
});
