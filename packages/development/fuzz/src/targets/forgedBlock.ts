import { signedDeploy, testKey } from "@vedette/chain/testing";
import { blake2b256 } from "@vedette/crypto";
import {
  Block,
  type BlockFields,
  type Body,
  type Dialect,
  hashBlock,
  type RejectedDeploy,
  signBlock,
} from "@vedette/protocol";

const unknown = blake2b256(new TextEncoder().encode("unknown"));
const most64 = 2n ** 63n - 1n;

type State = Body["state"];
type Lie = (block: Block, other: Block) => BlockFields;

function withState(block: Block, state: Partial<State>): BlockFields {
  return { ...block, body: { ...block.body, state: { ...block.body.state, ...state } } };
}

function withBody(block: Block, body: Partial<Body>): BlockFields {
  return { ...block, body: { ...block.body, ...body } };
}

function withHeader(block: Block, header: Partial<Block["header"]>): BlockFields {
  return { ...block, header: { ...block.header, ...header } };
}

function withNumber(block: Block, blockNumber: bigint): BlockFields {
  return withState(block, { blockNumber });
}

function withDeploys(block: Block, change: Parameters<typeof signedDeploy>[0], isForged = false): BlockFields {
  // Derived from the block alone, so that an input determines all.
  const made = signedDeploy({ timestamp: 1_000_000n + BigInt(block.sequenceNumber), ...change });
  const deploy = isForged ? { ...made, timestamp: made.timestamp + 1n } : made;
  const processed = { deploy, cost: 1n, log: [], failed: false, systemDeployError: "" };
  return withBody(block, { deploys: [...block.body.deploys, processed] });
}

function withSlash(block: Block, invalidBlockHash: Uint8Array, epoch?: bigint): BlockFields {
  const target = epoch === undefined ? {} : { targetActivationEpoch: epoch };
  const systemDeploy = { kind: "slash", invalidBlockHash, issuerPublicKey: block.sender, ...target } as const;
  return withBody(block, { systemDeploys: [{ systemDeploy, log: [], error: "" }, ...block.body.systemDeploys] });
}

function withRejection(block: Block, rejected: RejectedDeploy): BlockFields {
  return withBody(block, { rejectedDeploys: [...block.body.rejectedDeploys, rejected] });
}

/** The false statements that a liar makes before it signs. */
const lies: Readonly<Record<string, Lie>> = {
  "the next number": (block) => withNumber(block, block.body.state.blockNumber + 1n),
  "a negative number": (block) => withNumber(block, -1n),
  "the largest number": (block) => withNumber(block, most64),
  "the next sequence number": (block) => ({ ...block, sequenceNumber: block.sequenceNumber + 1 }),
  "the last sequence number": (block) => ({ ...block, sequenceNumber: block.sequenceNumber - 1 }),
  "the least sequence number": (block) => ({ ...block, sequenceNumber: -(2 ** 31) }),
  "time before all": (block) => withHeader(block, { timestamp: -most64 }),
  "time after all": (block) => withHeader(block, { timestamp: most64 }),
  "another version": (block) => withHeader(block, { version: 7n }),
  "another shard": (block) => ({ ...block, shardId: "other" }),
  "no parents": (block) => withHeader(block, { parents: [] }),
  "parents twice": (block) => withHeader(block, { parents: [...block.parents, ...block.parents] }),
  "another parent": (block, other) => withHeader(block, { parents: [other.hash] }),
  "one more parent": (block, other) => withHeader(block, { parents: [...block.parents, other.hash] }),
  "an unknown parent": (block) => withHeader(block, { parents: [unknown] }),
  "no justifications": (block) => ({ ...block, justifications: [] }),
  "justifications twice": (block) => ({ ...block, justifications: [...block.justifications, ...block.justifications] }),
  "one other justification": (block, other) => ({
    ...block,
    justifications: block.justifications.map((one, at) => (at === 0 ? { ...one, latestBlockHash: other.hash } : one)),
  }),
  "an unknown justification": (block) => ({
    ...block,
    justifications: block.justifications.map((one) => ({ ...one, latestBlockHash: unknown })),
  }),
  "a stranger's justification": (block, other) => ({
    ...block,
    justifications: [...block.justifications, { validator: unknown, latestBlockHash: other.hash }],
  }),
  "no bonds": (block) => withState(block, { bonds: [] }),
  "negative stakes": (block) =>
    withState(block, { bonds: block.body.state.bonds.map(({ validator, stake }) => ({ validator, stake: -stake })) }),
  "another state": (block) => withState(block, { postStateHash: unknown }),
  "another state before": (block) => withState(block, { preStateHash: unknown }),
  "one more deploy": (block) => withDeploys(block, {}),
  "a forged deploy": (block) => withDeploys(block, {}, true),
  "a deploy of another shard": (block) => withDeploys(block, { shardId: "other" }),
  "a deploy for nothing": (block) => withDeploys(block, { phloPrice: -1n, phloLimit: most64 }),
  "a deploy of the future": (block) => withDeploys(block, { validAfterBlockNumber: most64 }),
  "a deploy of the past": (block) => withDeploys(block, { validAfterBlockNumber: -most64 }),
  "a deploy of another block": (block, other) =>
    withBody(block, { deploys: [...block.body.deploys, ...other.body.deploys] }),
  "a slash of an honest block": (block, other) => withSlash(block, other.hash),
  "a slash of an unknown block": (block) => withSlash(block, unknown),
  "no system deploys": (block) => withBody(block, { systemDeploys: [] }),
  "other extra bytes": (block) => ({ ...block, extraBytes: unknown }),
  "rejected deploys": (block) => withBody(block, { rejectedDeploys: [{ signature: unknown }] }),
  // The fields of f1r3node's blocks alone; in others they are not written.
  "another merge base": (block, other) => withBody(block, { mergeBase: other.hash }),
  "an unknown merge base": (block) => withBody(block, { mergeBase: unknown }),
  "no merge base": (block) => withBody(block, { mergeBase: new Uint8Array(0) }),
  "nothing applied": (block) => withBody(block, { appliedFromScope: [] }),
  "unknown deploys applied": (block) => withBody(block, { appliedFromScope: [unknown] }),
  "deploys of another block applied": (block, other) =>
    withBody(block, { appliedFromScope: other.body.deploys.map(({ deploy }) => deploy.signature) }),
  "nothing rejected": (block) => withBody(block, { rejectedDeploys: [] }),
  "a rejection from another block": (block, { hash: carrier, body }) =>
    withRejection(block, { signature: body.deploys[0]?.deploy.signature ?? unknown, duplicate: false, carrier }),
  "a duplicate from nowhere": (block) =>
    withRejection(block, { signature: unknown, duplicate: true, carrier: unknown }),
  "a slash for another epoch": (block, other) => withSlash(block, other.hash, most64),
  "a slash for an epoch before all": (block, other) => withSlash(block, other.hash, -most64),
  "a deploy whose time is over": (block) => withDeploys(block, { expirationTimestamp: 1n }),
  "a deploy whose time was over before all": (block) => withDeploys(block, { expirationTimestamp: -most64 }),
};

/** The changes that a liar makes to a signed block. */
const forgeries: Readonly<Record<string, (block: Block, other: Block, dialect: Dialect) => BlockFields>> = {
  "another block's hash": (block, other) => ({ ...block, hash: other.hash }),
  "the hash of another content": (block, _other, dialect) => ({
    ...block,
    hash: hashBlock(new Block({ ...block, shardId: "elsewhere" }), dialect),
  }),
  "a damaged signature": (block) => ({ ...block, signature: block.signature.map((byte) => byte ^ 1) }),
  "no signature": (block) => ({ ...block, signature: new Uint8Array(0) }),
  "an unknown algorithm": (block) => ({ ...block, signatureAlgorithm: "rot13" }),
  "another sender": (block, other) => ({ ...block, sender: other.sender }),
  "other justifications, unsigned": (block) => ({ ...block, justifications: [] }),
};

export const lieNames: readonly string[] = [...Object.keys(lies), ...Object.keys(forgeries)];

/** The lying validator of a test. */
export interface Liar {
  readonly name: string;
  readonly dialect: Dialect;
}

/**
 * A block as its validator should have made it, changed by lies and signed again where they are covered.
 *
 * @param other a block that the network knows
 */
export function liedBlock(block: Block, { name: by, dialect }: Liar, names: readonly string[], other: Block): Block {
  const signed = names.filter((name) => name in lies);
  const stated = signed.reduce((changed, name) => new Block(lies[name]!(changed, other)), new Block(block));
  const result = signed.length === 0 ? stated : signBlock(stated, testKey(by), dialect);
  return names
    .filter((name) => name in forgeries)
    .reduce((one, name) => new Block(forgeries[name]!(one, other, dialect)), result);
}
