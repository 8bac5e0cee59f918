import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { DevProcess } from "../testing/DevProcess.js";
import { program } from "../testing/NodeProcess.js";

const folder = mkdtempSync(join(tmpdir(), "vedette-trace-"));
const environment = { XDG_CACHE_HOME: folder, VEDETTE_CONTEXTS: join(folder, "contexts.json") };
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("vedette trace shows the steps of a deploy with phlo and places, as text and as JSON", async () => {
  await using chain = await DevProcess.start([], environment);
  const term =
    'new out(`rho:io:stdout`) in {\n  @"a"!(1) |\n  for (@x <- @"a") {\n    out!(x + 1) | @"b"!(x + Nil)\n  }\n}';
  const deployer = chain.ready.accounts[0]!.publicKey;
  const failed = (await chain.ask("/dev/deploy", { term, deployer })).json;
  const whole = (await chain.ask("/dev/deploy", { term: term.replace("x + Nil", "x"), deployer })).json;
  const trace = (...args: string[]) =>
    spawnSync(program, ["trace", ...args], { encoding: "utf8", env: { ...process.env, ...environment } });

  const traced = trace(String(whole["deployId"]));
  expect([traced.status, traced.stderr]).toEqual([0, ""]);
  const lines = traced.stdout.replaceAll(/0x[0-9a-f]+|[0-9a-f]{64,}/g, "…").trimEnd();
  expect(lines).toMatchInlineSnapshot(`
    "deploy …
    in block #2 …, cost 825: 96 for its text, 12 for what is no step

    1  2:3           produce       93 phlo  @{"a"}!(1)
    2  3:3           consume      203 phlo  for (free0 <- @{"a"})
    3  3:3           comm          85 phlo  (1) on @{"a"}, 2:3 → 3:3
    4  4:19          produce      103 phlo  @{"b"}!(1)
    5  4:5           produce       52 phlo  @{Unforgeable(…)}!(2)
    6  4:5           comm         181 phlo  (2) on @{Unforgeable(…)}, 4:5 → system"
  `);

  const { json } = JSON.parse(`{"json":${trace(String(whole["deployId"]), "--json").stdout}}`) as { json: Trace };
  const sum = json.steps.reduce((total, { phlo }) => total + phlo, json.parsingPhlo + json.otherPhlo);
  expect(sum).toBe(json.cost);
  expect(json.steps[0]).toMatchObject({ kind: "produce", source: { kind: "program", line: 2, column: 3 } });

  const why = trace(String(failed["deployId"])).stdout;
  expect(why).toMatch(/^ReduceError at line unknown: .*\nThe send or receive at 4:19 came to no operation$/m);
  const none = trace("00".repeat(70));
  expect([none.status, none.stderr]).toEqual([1, expect.stringContaining("No block of this node has the deploy.")]);
});

interface Trace {
  readonly cost: number;
  readonly parsingPhlo: number;
  readonly otherPhlo: number;
  readonly steps: readonly { readonly kind: string; readonly phlo: number; readonly source: object }[];
}
