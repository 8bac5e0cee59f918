import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FakeServices } from "@vedette/client/fakes";
import { EList, emptyBitSet, GString, parOfExpr } from "@vedette/terms";
import { afterAll, expect, test } from "vitest";
import { exitCodes } from "../exitCodes.js";
import { environment, fakeChain } from "./testing/fakeDeployChain.js";
import { runOnFake } from "./testing/runCommand.js";

const folder = mkdtempSync(join(tmpdir(), "vedette-deploy-"));
afterAll(() => rmSync(folder, { recursive: true }));
const program = join(folder, "program.rho");
writeFileSync(program, "new x in { x!(1) }");

test("a failed deploy is shown with its reason, its place, and its earlier output", async () => {
  const { services } = fakeChain({ errored: true });
  const faults = [
    { class: "SyntaxError", text: "syntax error(): | at 1:5-1:6", line: 1, column: 5 },
    { class: "ReduceError", text: "Error: Operator `+` is not defined on Bool.", line: 0, column: 0 },
  ];
  const prints = [{ stream: "stdout", text: '"begun"' }];
  const notes: FakeServices["notes"] = {
    deployNote: () => ({ message: { case: "note", value: { isKnown: true, faults, prints, isCut: false } } }),
  };
  const args = ["deploy", "-f", program, "--wait-included"];
  const run = await runOnFake({ ...services, notes }, args, { environment });
  expect(run.exitCode).toBe(exitCodes.noEffect);
  expect(run.output.split("\n").slice(1)).toMatchObject([
    "Status: included, but it failed",
    expect.stringMatching(/^Block: #18 /),
    "Cost: 162",
    "Error: SyntaxError at 1:5: syntax error(): | at 1:5-1:6",
    "Error: ReduceError: Error: Operator `+` is not defined on Bool.",
    'stdout: "begun"',
    "",
  ]);
  const shown = await runOnFake({ ...fakeChain({ errored: true }).services, notes }, args, {
    environment,
    isTerminal: true,
    paint: (colour, text) => `<${colour}>${text}</>`,
  });
  expect(shown.output.split("\n").slice(1)).toMatchObject([
    "<dim>Status     </><red>included, but it failed</>",
    expect.stringMatching(/^<dim>Block {6}<\/>#18 /),
    "<dim>Cost       </>162",
    "<dim>Error      </><red>SyntaxError at 1:5: syntax error(): | at 1:5-1:6</>",
    "<dim>Error      </><red>ReduceError: Error: Operator `+` is not defined on Bool.</>",
    '<dim>stdout     </><cyan>"begun"</>',
    "",
  ]);
  const again = fakeChain({ errored: true });
  const json = await runOnFake({ ...again.services, notes }, [...args, "--json"], { environment });
  expect(JSON.parse(json.output)).toMatchObject({
    errors: [
      { class: "SyntaxError", line: 1, column: 5 },
      { class: "ReduceError", line: null },
    ],
    prints,
  });
});

test("names that a deploy wrote and read are shown, if the node reports them", async () => {
  const { services } = fakeChain({});
  const names = [
    { name: '@"shelf"', writes: 2, reads: 0 },
    { name: "@7", writes: 1, reads: 1 },
  ];
  const noteWith = (areNamesKnown: boolean): NonNullable<FakeServices["notes"]> => ({
    deployNote: () => {
      const known = areNamesKnown ? { names, areNamesKnown } : {};
      return { message: { case: "note", value: { isKnown: true, faults: [], prints: [], isCut: false, ...known } } };
    },
  });
  const args = ["deploy", "-f", program, "--wait-included"];
  const run = await runOnFake({ ...services, notes: noteWith(true) }, args, { environment });
  expect(run.output).toContain('\nWrote: @"shelf", @7\nRead: @7\n');
  const json = async (isKnown: boolean) => {
    const { output } = await runOnFake({ ...fakeChain({}).services, notes: noteWith(isKnown) }, [...args, "--json"], {
      environment,
    });
    return JSON.parse(output).names;
  };
  expect([await json(true), await json(false)]).toEqual([names, null]);
});

test("what a deploy sent to its id is shown as Rholang, also where the node keeps no notes", async () => {
  const list = parOfExpr(new EList([parOfExpr(new GString("a"))], emptyBitSet, false, undefined));
  const { services } = fakeChain({ data: [list] });
  const run = await runOnFake(services, ["deploy", "-f", program, "--wait"], { environment });
  expect(run).toMatchObject({ exitCode: 0, output: expect.stringContaining('\nData: ["a"]\n') });
  const again = fakeChain({ data: [list] });
  const json = await runOnFake(again.services, ["deploy", "-f", program, "--wait", "--json"], { environment });
  expect(JSON.parse(json.output)).toMatchObject({ data: ['["a"]'], errors: null, prints: null });
});
