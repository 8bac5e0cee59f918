import type { ProposeEvent, ProposeFailureStatus } from "@vedette/chain";
import { expect, test } from "vitest";
import { OpenProposals, type ProposalRemainder } from "./OpenProposals.js";

const signature = new Uint8Array(1);
const putAside: ProposeEvent = {
  type: "deployPutAside",
  signature,
  number: 1n,
  reason: "/ by zero",
  isOfMachine: false,
};
const failure = (status: ProposeFailureStatus): ProposeEvent => {
  return { type: "proposeFinished", result: { status, sequenceNumber: 1 } };
};

function remainders(...events: readonly ProposeEvent[]): (number | undefined)[] {
  const open = new OpenProposals();
  const found: ProposalRemainder[] = events.map((event) => open.onEvent(event));
  return found.map((remainder) => (remainder.kind === "again" ? remainder.afterMs : undefined));
}

test("what was put aside gives reason for one more proposal, at once", () => {
  expect(remainders(putAside, failure("NoNewDeploys"), failure("NoNewDeploys"))).toEqual([undefined, 0, undefined]);
  expect(remainders(putAside, failure("InternalDeployError"))).toEqual([undefined, 0]);
});

test("what ends with blocks of others is waited for", () => {
  for (const status of ["NotBonded", "NotEnoughNewBlocks", "TooFarAheadOfLastFinalized", "NotSynchronized"] as const)
    expect(remainders(failure(status))).toEqual([undefined]);
});

test("after failures here there is a rest, longer each time, up to a minute", () => {
  const failures = Array.from({ length: 8 }, () => failure("BugError"));
  expect(remainders(...failures)).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
  expect(remainders(failure("BugError"), failure("NotBonded"), failure("InternalDeployError"))).toEqual([
    1_000,
    undefined,
    1_000,
  ]);
});
