import { expect, test } from "vitest";
import { ordinaryProgram, runProgram } from "../contractTest/contractProgram.js";
import { genesisState } from "../contractTest/genesisState.js";
import { rnodeExecution } from "../form/rnodeExecution.js";
import { ProgramCoverage } from "./ProgramCoverage.js";

const contract = `new stack in {
  contract @"even"(@n, ret) = {
    match n % 2 {
      0 => { ret!(true) }
      _ => {
        ret!(false)
      }
    }
  } |
  @"ready"!(1) |
  for (_ <- @"never") {
    @"never reached"!(1)
  }
}`;

test("lines of a contract that later programs call are counted, those that nothing reaches are 0", () => {
  const coverage = new ProgramCoverage(rnodeExecution);
  const tracer = coverage.tracer("even.rho");
  const deployed = runProgram(genesisState([]), { ...ordinaryProgram, source: contract, timestamp: 1n }, { tracer });
  expect(deployed.errors).toEqual([]);
  expect(Object.fromEntries(coverage.lines().get("even.rho")!)).toEqual({ 2: 1, 4: 0, 6: 0, 10: 1, 11: 1, 12: 0 });
  const call = { ...ordinaryProgram, source: 'new r in { @"even"!(4, *r) | @"even"!(8, *r) }' };
  const called = runProgram(deployed.state, call, { tracer: coverage.tracer() });
  expect(called.errors).toEqual([]);
  const lines = Object.fromEntries(coverage.lines().get("even.rho")!);
  expect(lines).toMatchObject({ 4: 2, 6: 0, 10: 1, 12: 0 });
});

test("a program costs the same and leaves the same, whether it is counted or not", () => {
  const program = { ...ordinaryProgram, source: contract };
  const state = genesisState([]);
  const counted = runProgram(state, program, { tracer: new ProgramCoverage(rnodeExecution).tracer("even.rho") });
  const plain = runProgram(state, program);
  expect([counted.cost, counted.state.root]).toEqual([plain.cost, plain.state.root]);
});
