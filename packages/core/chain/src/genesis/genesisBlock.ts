import { compareBytes, compareSignedBytes, emptyBytes, equalBytes } from "@vedette/crypto";
import {
  Block,
  type BlockFields,
  type Body,
  type Bond,
  type Deploy,
  type Dialect,
  type Event,
  encodeEvent,
  hashBlock,
  hashKey,
} from "@vedette/protocol";
import { evidenceTag } from "../evidence/evidenceBytes.js";
import { GenesisBlockError } from "./GenesisBlockError.js";

/** The content of a genesis block. @spec 40 §10.1 */
export interface GenesisContent {
  /** Unix milliseconds. */
  readonly timestamp: bigint;
  readonly shardName: string;
  /** One for each validator. */
  readonly bonds: readonly Bond[];
  /** All deploys, in their order. */
  readonly deploys: readonly Deploy[];
  /** Whether the network judges blocks by evidence. @spec 40 §16.1 */
  readonly judgesByEvidence: boolean;
}

export const casperVersion = 1n;
const shownCharacters = 100;

/**
 * The genesis block from what the execution of its deploys has led to.
 *
 * rnode silently leaves out deploys that failed. A network without one of its system contracts is of no use, so here
 * no block is made.
 *
 * @param played the body as the execution gives it: logs in the order of play, bonds as the contract returns them
 * @throws {GenesisBlockError} `deployFailed`, `bondsDiffer`
 * @spec 40 §10.1, 41 §5.3, 61 §11
 */
export function genesisBlock(played: Body, content: GenesisContent, dialect: Dialect): Block {
  checkDeploys(played, content.deploys);
  checkBonds(played.state.bonds, content.bonds);
  const fields: BlockFields = {
    hash: emptyBytes,
    header: { parents: [], timestamp: content.timestamp, version: casperVersion, extraBytes: emptyBytes },
    body: {
      ...played,
      state: { ...played.state, bonds: genesisBonds(content.bonds, dialect) },
      deploys: played.deploys.map((deploy) => ({ ...deploy, log: genesisLog(deploy.log, dialect) })),
    },
    justifications: [],
    sender: emptyBytes,
    sequenceNumber: 0,
    signature: emptyBytes,
    signatureAlgorithm: "",
    shardId: content.shardName,
    extraBytes: content.judgesByEvidence ? evidenceTag : emptyBytes,
    form: dialect.blockForm,
  };
  return new Block({ ...fields, hash: hashBlock(new Block(fields), dialect) });
}

function checkDeploys({ deploys }: Body, expected: readonly Deploy[]): void {
  const failed = expected.findIndex(({ signature }, index) => {
    const found = deploys[index];
    return found === undefined || found.failed || !equalBytes(found.deploy.signature, signature);
  });
  if (failed < 0) return;
  const term = expected[failed]!.term.slice(0, shownCharacters).replace(/\s+/g, " ");
  throw new GenesisBlockError({ code: "deployFailed", index: failed, total: expected.length, term });
}

function checkBonds(found: readonly Bond[], expected: readonly Bond[]): void {
  const wrong = differentBond(expected, found);
  if (wrong !== undefined) throw new GenesisBlockError({ code: "bondsDiffer", ...wrong });
}

/** Returns the first validator with a different stake. */
function differentBond(expected: readonly Bond[], found: readonly Bond[]) {
  const foundStakes = stakesOf(found);
  for (const { validator, stake } of expected) {
    const other = foundStakes.get(hashKey(validator));
    if (other !== stake) return { validator, expected: stake, found: other };
  }
  const expectedStakes = stakesOf(expected);
  const additional = found.find(({ validator }) => !expectedStakes.has(hashKey(validator)));
  return additional === undefined
    ? undefined
    : { validator: additional.validator, expected: undefined, found: additional.stake };
}

/** Whether both lists have the same bonds, in any order; if a key occurs twice the last one counts. @spec 41 §5.4 */
export function sameBonds(left: readonly Bond[], right: readonly Bond[]): boolean {
  const leftStakes = stakesOf(left);
  const rightStakes = stakesOf(right);
  return (
    leftStakes.size === rightStakes.size && [...leftStakes].every(([key, stake]) => rightStakes.get(key) === stake)
  );
}

function stakesOf(bonds: readonly Bond[]): ReadonlyMap<string, bigint> {
  return new Map(bonds.map(({ validator, stake }) => [hashKey(validator), stake]));
}

/** Bonds in the order in which the genesis block has them. @spec 40 §10.1, §14.2 */
export function genesisBonds(bonds: readonly Bond[], dialect: Dialect): Bond[] {
  const compare = byteOrder(dialect);
  return [...bonds].sort((left, right) => compare(left.validator, right.validator));
}

/**
 * A deploy's log in the order in which the genesis block has it: by the events' bytes, not by time.
 *
 * Quirk 40 §10.1: replay does not depend on it, but the block's hash does.
 *
 * @spec 40 §10.1, §14.2, 41 §5
 */
export function genesisLog(log: readonly Event[], dialect: Dialect): Event[] {
  const compare = byteOrder(dialect);
  return log
    .map((event) => ({ event, bytes: encodeEvent(event) }))
    .sort((left, right) => compare(left.bytes, right.bytes))
    .map(({ event }) => event);
}

function byteOrder(dialect: Dialect): (left: Uint8Array, right: Uint8Array) => number {
  return dialect.genesisByteOrder === "signed" ? compareSignedBytes : compareBytes;
}
