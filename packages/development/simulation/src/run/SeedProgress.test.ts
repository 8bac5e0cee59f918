import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parseArguments } from "./parseArguments.js";
import { noSums } from "./runSeeds.js";
import { SeedProgress } from "./SeedProgress.js";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "vedette-seeds-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

const twenty = { ...noSums, runs: 20, cpuMs: 1_000 };

test("a long run goes on behind the parts that are done, with what they came to", () => {
  const path = join(folder, "progress");
  const command = parseArguments(["--seeds", "95-130", "--mix"]);
  const first = new SeedProgress(path, command);
  expect(first.left).toEqual([
    { first: 95, last: 99 },
    { first: 100, last: 119 },
    { first: 120, last: 130 },
  ]);
  first.note(first.left[1]!, { ...twenty, failed: ["npm run simulate -- --seed 101"] });
  appendFileSync(path, '{"asked":"the process was ended here');
  const next = new SeedProgress(path, command);
  expect(next.left).toEqual([first.left[0], first.left[2]]);
  expect(next.sums).toMatchObject({ runs: 20, failed: ["npm run simulate -- --seed 101"] });
});

test("what another command has done is not taken for done", () => {
  const path = join(folder, "other");
  const short = new SeedProgress(path, parseArguments(["--seeds", "0-39", "--steps", "200"]));
  short.note(short.left[0]!, twenty);
  expect(() => new SeedProgress(path, parseArguments(["--seeds", "0-39", "--steps", "300"]))).toThrow(
    `--progress: ${path} is of another command`,
  );
});
