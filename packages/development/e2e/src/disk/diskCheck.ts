import { createHash } from "node:crypto";
import { blake2b256, emptyBytes, equalBytes, fromHex, toHex } from "@vedette/crypto";
import { mergeableIdOf } from "@vedette/execution";
import { decodeStoredBlock, hashBlock, hashKey } from "@vedette/protocol";
import { type Store, tablesOf } from "@vedette/store";
import { StateStore } from "@vedette/tuplespace";
import type { DiskNode } from "./DiskNode.js";
import { stateTables } from "./diskWorld.js";

/** Numbers and ids that differ from run to run without harm. */
const isOwn = (table: string, key: Uint8Array) => table === "deployPool" || (table === "eventLog" && key[0] === 0);

/** Checks that the data that a node has promised are there. @throws TypeError which names the lost ones */
export function checkPromises(node: DiskNode, promises: readonly string[]): void {
  for (const promise of promises)
    if (!isKept(node, promise)) throw new TypeError(`it was promised, and is not there: ${promise}`);
}

function isKept({ chain, validator, executor, states, store, nodeId }: DiskNode, promise: string): boolean {
  const [kind, first = "", second = ""] = promise.split(" ");
  switch (kind) {
    case "node":
      return nodeId === first;
    case "block":
      return chain.dag.has(fromHex(first)) && chain.blocks.has(fromHex(first));
    case "own": {
      const last = chain.dag.latestMessage(hashKey(validator.proposing.proposer.publicKey));
      const isNoted = validator.proposing.proposer.hasProposed;
      return (
        isNoted &&
        last !== undefined &&
        chain.dag.require(last).sequenceNumber >= Number(first) &&
        chain.dag.has(fromHex(second))
      );
    }
    case "deploy":
      return validator.proposing.pool.has(fromHex(first)) || [...chain.dag.blocksOfDeploy(fromHex(first))].length > 0;
    case "root":
      return executor.hasRoot(fromHex(first));
    case "state":
      return states.table("history").has(fromHex(first));
    case "index":
      return store.table("historyBlocks").count() === store.table("blocksByHeight").count();
    default:
      throw new TypeError(`a promise of kind ${kind}`);
  }
}

/**
 * Whether all that a node has fits together: each block has its bytes under its hash, its parents and its states, and
 * each state all of its nodes and leaves, under their hashes.
 *
 * @throws TypeError which names what does not
 */
export function checkWhole(node: DiskNode): void {
  const { chain, states, forms } = node;
  const { dag } = chain;
  const approved = chain.blocks.approvedBlock()?.candidate.block;
  for (const { hash } of dag.blocksByHeight(0n, dag.nextBlockNumber())) {
    const bytes = chain.blocks.findBytes(hash);
    if (bytes === undefined) throw new TypeError(`block ${toHex(hash)} is not stored`);
    const block = decodeStoredBlock(bytes, forms.block);
    if (!equalBytes(hashBlock(block, chain.rules.dialect), hash))
      throw new TypeError(`block ${toHex(hash)} is another one`);
    if (approved === undefined || block.number < approved.number) continue;
    const root = block.body.state.postStateHash;
    if (!node.executor.hasRoot(root)) throw new TypeError(`state ${toHex(root)} is not there`);
    const isFirst = equalBytes(hash, approved.hash);
    for (const parent of isFirst ? [] : block.parents)
      if (!dag.has(parent)) throw new TypeError("a parent is not there");
    const { executor } = node;
    if ("numberEntry" in executor && !isFirst && executor.numberEntry(mergeableIdOf(block)) === undefined)
      throw new TypeError(`what block ${toHex(hash)} did to number channels is not there`);
  }
  for (const { hash } of dag.latestMessages()) dag.require(hash);
  const reading = new StateStore(states, { form: forms.space });
  const hashes = {
    history: (_: Uint8Array, value: Uint8Array) => blake2b256(value),
    changedHistory: (key: Uint8Array) => blake2b256(reading.nodeBytes(key) ?? emptyBytes),
    cold: (_: Uint8Array, value: Uint8Array) => forms.space.leafHash(value),
  };
  for (const name of stateTables)
    for (const [key, value] of states.table(name).range())
      if (!equalBytes(hashes[name](key, value), key)) throw new TypeError(`${name} ${toHex(key)} is another one`);
  for (const [root] of states.table("roots").range())
    if (root.length === 32 && node.executor.missing(root).length > 0)
      throw new TypeError(`state ${toHex(root)} is not complete`);
}

/** A hash for each table, to compare two nodes by. */
export function contentOf({ store, states }: DiskNode): Record<string, string> {
  return { ...hashesOf(store, "chain"), ...hashesOf(states, "state") };
}

function hashesOf(store: Store, environment: "chain" | "state"): Record<string, string> {
  const hashes: Record<string, string> = {};
  for (const name of tablesOf(environment)) {
    const hash = createHash("sha256");
    let count = 0;
    for (const [key, value] of store.table(name).range()) {
      if (isOwn(name, key)) continue;
      hash.update(`${key.length} ${value.length} `).update(key).update(value);
      count += 1;
    }
    hashes[name] = `${count} ${hash.digest("hex").slice(0, 16)}`;
  }
  return hashes;
}

/** @throws TypeError which names the tables that differ */
export function checkSame(found: Record<string, string>, expected: Record<string, string>): void {
  const others = Object.keys(expected).filter((name) => found[name] !== expected[name]);
  if (others.length === 0) return;
  const differences = others.map((name) => `${name}: ${found[name]} instead of ${expected[name]}`);
  throw new TypeError(`tables are not those of an undisturbed run: ${differences.join(", ")}`);
}
