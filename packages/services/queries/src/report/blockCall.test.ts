import { type BlockReporting, ChainError, type DagView, visibleInvalidBlocks } from "@vedette/chain";
import { emptyBytes } from "@vedette/crypto";
import { Block, encodeBlock, rnode } from "@vedette/protocol";
import { expect, test } from "vitest";
import { blockCallOf } from "./blockCall.js";

const [hash, parent, sender] = [new Uint8Array(32), new Uint8Array(32).fill(1), new Uint8Array(65).fill(4)];
const invalid = { hash: new Uint8Array(32).fill(2), sender };

const bytes = encodeBlock(
  new Block({
    hash,
    header: { parents: [parent], timestamp: 1n, version: 1n, extraBytes: emptyBytes },
    body: {
      state: { preStateHash: hash, postStateHash: hash, bonds: [], blockNumber: 1n },
      ...{ deploys: [], systemDeploys: [], rejectedDeploys: [] },
      extraBytes: emptyBytes,
    },
    ...{ justifications: [], sender, sequenceNumber: 1, signature: emptyBytes, signatureAlgorithm: "secp256k1" },
    ...{ shardId: "root", extraBytes: emptyBytes },
  }),
);

const reporting: BlockReporting = {
  form: rnode.blockForm,
  invalidBlocksFor: (block, dag) => visibleInvalidBlocks(block, dag),
};

function dagThat(require: DagView["require"], judgesByEvidence: boolean): DagView {
  const begun = {
    approvedBlock: () => undefined,
    latestMessages: () => [],
    lacksStates: false,
    lacksState: () => false,
  };
  return { ...begun, invalidBlocks: () => [invalid], judgesByEvidence, require } as unknown as DagView;
}

test("a block's call names the invalid blocks that its creator could know", () => {
  const dag = dagThat(() => {
    throw new TypeError("requested a parent");
  }, false);
  expect(blockCallOf(bytes, { dag, reporting })).toEqual({
    block: bytes,
    invalidBlocks: [{ blockHash: invalid.hash, sender }],
  });
});

test("where a block's parents are not here, it is requested without them", () => {
  const dag = dagThat((missing) => {
    throw new ChainError({ code: "blockMissing", hash: missing });
  }, true);
  expect(blockCallOf(bytes, { dag, reporting })).toEqual({ block: bytes, invalidBlocks: [] });
  const damaged = dagThat((missing) => {
    throw new ChainError({ code: "metadataDamaged", hash: missing });
  }, true);
  expect(() => blockCallOf(bytes, { dag: damaged, reporting })).toThrow("is damaged");
});
