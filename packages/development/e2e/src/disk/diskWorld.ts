import { readFileSync, writeFileSync } from "node:fs";
import { transferTerm } from "@vedette/client";
import { vaultAddressOfPublicKey } from "@vedette/crypto";
import { testKey, userDeploy } from "@vedette/node/testing";
import { type Block, type Deploy, type Dialect, decodeBlock, encodeBlock, findDialect } from "@vedette/protocol";

/** Blocks that a node of a test takes or makes: the same ones in every run. */
export interface DiskFixture {
  /** The dialect of the network. */
  readonly dialect: Dialect["name"];
  readonly genesis: Block;
  /** In the order in which they are taken; without the first one. */
  readonly line: readonly Block[];
  /** The same, with blocks side by side, and some that merge two. */
  readonly merging: readonly Block[];
  /** The entries of the tables that hold the state after the block of {@link importedAt}; none in f1r3node. */
  readonly states: { readonly [Table in StateTable]: readonly (readonly [Uint8Array, Uint8Array])[] };
}

/** The tables of nodes and leaves. */
export const stateTables = ["history", "changedHistory", "cold"] as const;
type StateTable = (typeof stateTables)[number];

/** Blocks of {@link DiskFixture.line}, and those that a proposing node makes. */
export const lineLength = 8;
/** The height of the imported state. */
export const importedAt = 4;
const beginMs = 1_700_000_000_000;

const severalParents = { maximumParents: 10 };
/** The common settings of all nodes of an f1r3node network. */
const f1r3nodeConsensusRules = { ...severalParents, maximumParentDepth: 15 };

/** Returns the configuration for blocks that may have several parents. */
export function rulesOf(dialect: Dialect["name"]): typeof severalParents {
  return dialect === "f1r3node" ? f1r3nodeConsensusRules : severalParents;
}

const addressOf = (user: string) => vaultAddressOfPublicKey(testKey(user).publicKey)!;

/** The deploys of a user for the block at a height: a transfer, what stays, and what the next one takes away. */
export function deploysAt(height: number, user: string, dialect: Dialect["name"]): readonly Deploy[] {
  const to = user === "u1" ? "u2" : "u1";
  const [timestamp, validAfterBlockNumber] = [BigInt(beginMs + height), BigInt(height - 1)];
  return [
    transferTerm(addressOf(user), addressOf(to), BigInt(height), dialect),
    `@"${user} ${height}"!(${height}) | for (@x <- @"${user} ${height - 1}") { @"kept"!(x) }`,
  ].map((term) => userDeploy(user, term, { timestamp, validAfterBlockNumber }));
}

/** A clock that follows the chain, so that a block is the same whenever it is made. */
export function timeAt(height: number): number {
  return beginMs + 1_000 * height;
}

/** Where a program of its own reads the world from. */
export function writeDiskWorld(path: string, { dialect, genesis, line, merging, states }: DiskFixture): void {
  const blocks = (some: readonly Block[]) => some.map((block) => textOf(encodeBlock(block)));
  const tables = Object.fromEntries(stateTables.map((name) => [name, states[name].map((entry) => entry.map(textOf))]));
  const texts = {
    dialect,
    genesis: blocks([genesis])[0],
    line: blocks(line),
    merging: blocks(merging),
    states: tables,
  };
  writeFileSync(path, JSON.stringify(texts));
}

export function readDiskWorld(path: string): DiskFixture {
  const { dialect, genesis, line, merging, states } = JSON.parse(readFileSync(path, "utf8"));
  const { blockForm } = findDialect(dialect)!;
  const block = (text: string) => decodeBlock(bytesOf(text), blockForm);
  const entries = (some: readonly (readonly [string, string])[]) =>
    some.map(([key, value]) => [bytesOf(key), bytesOf(value)] as const);
  const tables = {
    history: entries(states.history),
    changedHistory: entries(states.changedHistory),
    cold: entries(states.cold),
  };
  return { dialect, genesis: block(genesis), line: line.map(block), merging: merging.map(block), states: tables };
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64");
}

function bytesOf(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, "base64"));
}
