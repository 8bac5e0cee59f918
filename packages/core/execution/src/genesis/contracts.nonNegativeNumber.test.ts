import { areRecordingsThere } from "@vedette/testing";
import { describe, expect, test } from "vitest";
import { ordinaryProgram, runProgram } from "../contractTest/contractProgram.js";
import { genesisState, type TestState } from "../contractTest/genesisState.js";
import { checkContract } from "../testing/checkContract.js";
import { recordedGenesis } from "../testing/recordedGenesis.js";

const contracts = ["Registry.rho", "NonNegativeNumber.rho"] as const;

checkContract({ file: "NonNegativeNumber.rho", contracts, alsoOnRecorded: true });

describe("numbers are summed up when blocks are merged", () => {
  test("own contracts", () => {
    checkNumberChannels(genesisState(contracts));
  });
  if (areRecordingsThere)
    test("rnode's contracts", () => {
      checkNumberChannels(recordedGenesis());
    });
});

/** Every method uses the number's channel, and the datum there is the value. */
function checkNumberChannels(genesis: TestState): void {
  const made = runProgram(genesis, program("@Number!(5, *r) | for (@n <- r) { @0!(n) | @1!(n) | @2!(n) }"));
  const channels = [...made.numberChannels];
  expect(channels.map(([, value]) => value)).toEqual([5n]);
  const added = runProgram(made.state, program('for (@n <- @0) { @n!("add", 4, *r) }'));
  const taken = runProgram(added.state, program('for (@n <- @1) { @n!("sub", 1, *r) }'));
  const asked = runProgram(taken.state, program('for (@n <- @2) { @n!("value", *r) }'));
  const [[name] = []] = channels;
  expect([added, taken, asked].map(({ numberChannels }) => [...numberChannels])).toEqual([
    [[name, 9n]],
    [[name, 8n]],
    [[name, 8n]],
  ]);
}

function program(inner: string) {
  const source = `new lookup(\`rho:registry:lookup\`), found, r in {
    lookup!(\`rho:lang:nonNegativeNumber\`, *found) | for (@(_, Number) <- found) { ${inner} }
  }`;
  return { ...ordinaryProgram, source };
}
