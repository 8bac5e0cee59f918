import type { F1r3nodeBlock, F1r3nodeBlockFacts } from "@vedette/chain/testing";
import { toHex } from "@vedette/crypto";
import type { Block } from "@vedette/protocol";
import { expect } from "vitest";
import { ExecutingNode } from "./ExecutingNode.js";

/** Expects that a node finds each block valid, with what is recorded of it. @returns merges that it took */
export async function checkExecutedBlocks(blocks: readonly F1r3nodeBlock[]): Promise<number> {
  const node = new ExecutingNode();
  for (const { block, facts } of blocks) {
    const name = `#${facts.number} ${facts.hash.slice(0, 8)}`;
    expect({ name, wrong: await node.take(block) }).toEqual({ name, wrong: undefined });
    const { mergeBase, appliedFromScope, rejectedDeploys } = facts;
    expect(statementsOf(block)).toEqual({ mergeBase, appliedFromScope, rejectedDeploys });
    expect(node.floorOf(block)).toBe(facts.floor);
  }
  return node.merges;
}

/** Returns a block's statements, by the names of the recording. */
function statementsOf({ body }: Block): Partial<F1r3nodeBlockFacts> {
  return {
    mergeBase: toHex(body.mergeBase ?? new Uint8Array(0)),
    appliedFromScope: (body.appliedFromScope ?? []).map(toHex),
    rejectedDeploys: body.rejectedDeploys.map(({ signature, duplicate = false, carrier = new Uint8Array(0) }) => ({
      id: toHex(signature),
      duplicate,
      carrier: toHex(carrier),
    })),
  };
}
