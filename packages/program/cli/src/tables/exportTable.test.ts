import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";
import type { CommandHost } from "../client/CommandHost.js";
import { exportTable } from "./exportTable.js";

const folder = mkdtempSync(join(tmpdir(), "vedette-export-"));
const out = join(folder, "out");
/** Whole pages that the node answers before it fails. */
let goodPages = 0;
const page = JSON.stringify({
  columns: [],
  rows: Array.from({ length: 2_000 }, (_, at) => Array.from({ length: 12 }, () => at)),
  isCut: false,
});
const node = createServer((request, response) => {
  request.resume();
  if (goodPages-- > 0) response.end(page);
  else
    response
      .writeHead(goodPages < -1 ? 200 : 503)
      .end(goodPages < -1 ? `{"columns":[],"rows":[],"isCut":false}` : "{}");
});
await new Promise<void>((resolve) => node.listen(0, "127.0.0.1", resolve));
afterAll(() => {
  node.close();
  rmSync(folder, { recursive: true });
});
beforeEach(() => {
  for (const name of readdirSync(folder)) rmSync(join(folder, name));
});

const { port } = node.address() as AddressInfo;
const exported = (format: string) =>
  exportTable({} as CommandHost, { table: "blocks", format, out, host: "127.0.0.1", adminPort: port });

test.each(["csv", "ndjson", "arrow", "parquet"])("an export of %s that fails leaves no cut file", async (format) => {
  goodPages = 1;
  await expect(exported(format)).rejects.toThrow();
  expect(readdirSync(folder)).toEqual([]);
  writeFileSync(out, "of before");
  goodPages = 1;
  await expect(exported(format)).rejects.toThrow();
  expect([readdirSync(folder), readFileSync(out, "utf8")]).toEqual([["out"], "of before"]);
});

test("an export that goes well takes the place of the old file, and of what a link names", async () => {
  const target = join(folder, "target");
  writeFileSync(target, "of before");
  symlinkSync(target, out);
  goodPages = -1;
  await exported("csv");
  expect(readdirSync(folder)).toEqual(["out", "target"]);
  expect(readFileSync(target, "utf8")).toBe(readFileSync(out, "utf8"));
  expect(readFileSync(target, "utf8")).toMatch(/^block_/);
});
