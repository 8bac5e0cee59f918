import { create, type MessageInitShape } from "@bufbuild/protobuf";
import {
  type BlockInfo,
  BlockInfoSchema,
  type DeployInfo,
  DeployInfoSchema,
  type LightBlockInfo,
  LightBlockInfoSchema,
} from "@vedette/api/grpc";

const validator = `04${"87".repeat(64)}`;

/** A block in the form in which nodes send it. */
export function lightBlockFixture(fields: MessageInitShape<typeof LightBlockInfoSchema> = {}): LightBlockInfo {
  return create(LightBlockInfoSchema, {
    blockHash: "aa".repeat(32),
    sender: validator,
    seqNum: 5n,
    sig: "3044",
    sigAlgorithm: "secp256k1",
    shardId: "root",
    version: 1n,
    timestamp: 1_700_000_000_123n,
    parentsHashList: ["bb".repeat(32)],
    blockNumber: 17n,
    preStateHash: "cc".repeat(32),
    postStateHash: "dd".repeat(32),
    bonds: [{ validator, stake: 50_000_000_000_000_001n }],
    blockSize: "4312",
    deployCount: 1,
    faultTolerance: 1 / 3,
    justifications: [{ validator, latestBlockHash: "bb".repeat(32) }],
    ...fields,
  });
}

/** A deploy in a block. */
export function deployFixture(fields: MessageInitShape<typeof DeployInfoSchema> = {}): DeployInfo {
  return create(DeployInfoSchema, {
    deployer: validator,
    term: "new x in { x!(1) }",
    timestamp: 1_700_000_000_000n,
    sig: "3045",
    sigAlgorithm: "secp256k1",
    phloPrice: 1n,
    phloLimit: 500_000n,
    validAfterBlockNumber: 16n,
    cost: 162n,
    ...fields,
  });
}

/** A block with deploys. */
export function blockFixture(
  fields: MessageInitShape<typeof LightBlockInfoSchema> = {},
  deploys: readonly DeployInfo[] = [deployFixture()],
): BlockInfo {
  return create(BlockInfoSchema, { blockInfo: lightBlockFixture(fields), deploys: [...deploys] });
}
