import type { FloorMerge } from "@vedette/chain";
import type { FloorStates } from "@vedette/execution";
import type { Block } from "@vedette/protocol";
import { MergeError, type MergeFailure } from "@vedette/tuplespace";
import { describe, expect, test } from "vitest";
import { floorExecutionOf } from "./floorExecutionOf.js";

const root = new Uint8Array(32);
const request: FloorMerge = {
  ...{ baseState: root, merged: [root], lineage: [], settled: new Set<string>(), lateUpTo: 0n, recorded: [] },
};
const block = {} as Block;

/** States of which nothing can be merged. */
function failing(failure: MergeFailure): FloorStates {
  const merge = () => {
    throw new MergeError(failure);
  };
  return { merge } as unknown as FloorStates;
}

describe("a merge that fails", () => {
  test("for what the blocks say is told as such, so that all nodes refuse alike", async () => {
    const execution = floorExecutionOf(failing({ code: "numberChannel", detail: "too large" }), { find: () => block });
    await expect(execution.merge(request)).rejects.toMatchObject({ failure: { code: "unmergeable" } });
    await expect(execution.merge(request)).rejects.toThrow(
      "The parents cannot be merged: A number channel cannot be merged: too large.",
    );
  });

  test("for what this node does not have is no statement of the blocks", async () => {
    const states = failing({ code: "mergeableMissing", postState: root });
    await expect(floorExecutionOf(states, { find: () => block }).merge(request)).rejects.toBeInstanceOf(MergeError);
    const absent = floorExecutionOf(states, { find: () => undefined });
    await expect(absent.merge(request)).rejects.toMatchObject({ failure: { code: "blockMissing" } });
  });
});
