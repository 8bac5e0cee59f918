import { join } from "node:path";
import { BlockTable, Dag } from "@vedette/chain";
import { blake2b256, emptyBytes } from "@vedette/crypto";
import { Block, type BlockFields, hashBlock, rnode } from "@vedette/protocol";
import {
  createSnapshot,
  FolderStorage,
  findSnapshot,
  restoreSnapshot,
  verifySnapshot,
} from "@vedette/replication/snapshot";
import { LmdbStore, tablesOf } from "@vedette/store";
import { dataKey, emptyRoot, type HistoryAction, rnodeSpace, StateStore, updateTree } from "@vedette/tuplespace";
import type { Measurements } from "./Measurements.js";

const keysOfCommit = 20_000;
/** Leaves of the recorded chains have these lengths, about; half of each is of what compresses well. */
const leafLengths = [90, 140, 200, 280, 400, 700, 1_600];
const rounds = 3;
const never = new AbortController().signal;
const silent = () => {};

/** Makes a snapshot of a state of this size in files, reads it, and begins with it. */
export async function benchSnapshot(measurements: Measurements, directory: string, megabytes: number): Promise<void> {
  await using state = new LmdbStore(join(directory, "made", "state"), { tables: tablesOf("state") });
  await using chain = new LmdbStore(join(directory, "made", "chain"), { tables: tablesOf("chain") });
  const block = blockOf(makeState(state, megabytes * 1e6));
  const blocks = new BlockTable(chain, { form: rnode.blockForm });
  blocks.put(block);
  const dag = new Dag(chain);
  dag.replaceAll([{ block, insertion: { invalid: false, approved: true } }][Symbol.iterator](), silent);
  const place = new FolderStorage(join(directory, "place"));
  const rate = timer(measurements);
  const made = await createSnapshot({
    ...{
      source: { dialect: rnode, form: rnodeSpace, state, dag, blocks },
      place,
      nowMs: Date.now,
      report: silent,
      signal: never,
    },
  });
  const bytes = made.chunks.reduce((sum, chunk) => sum + chunk.bytes, 0);
  rate("snapshot made", bytes);
  const stored = (await place.list("chunks/")).reduce((sum, file) => sum + file.bytes, 0);
  measurements.add("nodes and leaves", made.nodes + made.leaves, "");
  measurements.add("size of the state", bytes / 1e6, "MB");
  measurements.add("size of the snapshot", stored / 1e6, "MB");
  const manifest = await findSnapshot(place, undefined);
  for (let round = 1; round <= rounds; round += 1) {
    const path = join(directory, `restored-${round}`);
    await using own = new LmdbStore(join(path, "chain"), { tables: tablesOf("chain") });
    await using filled = new LmdbStore(join(path, "state"), { tables: tablesOf("state") });
    const restored = timer(measurements);
    await restoreSnapshot({
      ...{ place, manifest, trusted: made.block.hash, shard: block.shardId, dialect: rnode, form: rnodeSpace },
      ...{ chain: own, state: filled, report: silent, signal: never },
      progress: { has: () => false, add: silent },
    });
    restored("snapshot restored", bytes);
  }
  const verified = timer(measurements);
  await verifySnapshot(place, manifest, { dialect: rnode, form: rnodeSpace, report: silent, signal: never });
  verified("snapshot verified", bytes);
}

/** Measures how fast something went, and the processor time that it took. */
function timer(measurements: Measurements): (name: string, bytes: number) => void {
  const [begunMs, before] = [performance.now(), process.cpuUsage()];
  return (name, bytes) => {
    const seconds = (performance.now() - begunMs) / 1_000;
    const { user, system } = process.cpuUsage(before);
    measurements.add(name, bytes / 1e6 / seconds, "MB/s");
    measurements.add(`${name}: time of processors`, (user + system) / 1e6 / (bytes / 1e9), "s/GB");
  };
}

/** @returns the root */
function makeState(store: LmdbStore, bytes: number): Uint8Array {
  const states = new StateStore(store);
  let root = emptyRoot;
  for (let made = 0, number = 0; made < bytes; ) {
    const actions: HistoryAction[] = [];
    const leaves: { readonly key: Uint8Array; readonly value: Uint8Array }[] = [];
    for (let i = 0; i < keysOfCommit && made < bytes; i += 1, number += 1) {
      const value = leafOf(number);
      const hash = blake2b256(value);
      leaves.push({ key: hash, value });
      actions.push({ key: dataKey(hash), value: hash });
      made += value.length + 60;
    }
    const update = updateTree(states, root, actions);
    states.putItems([], leaves);
    states.commit({ root: update.root, newNodes: update.newNodes, newLeaves: [] });
    root = update.root;
  }
  return root;
}

function leafOf(number: number): Uint8Array {
  const value = new Uint8Array(leafLengths[number % leafLengths.length]!);
  let seed = blake2b256(new TextEncoder().encode(`leaf ${number}`));
  for (let at = 0; at < value.length; at += 64) {
    value.set(seed.subarray(0, Math.min(32, value.length - at)), at);
    seed = blake2b256(seed);
  }
  return value;
}

function blockOf(postStateHash: Uint8Array): Block {
  const fields: BlockFields = {
    hash: emptyBytes,
    header: { parents: [], timestamp: 1_700_000_000_000n, version: 1n, extraBytes: emptyBytes },
    body: {
      state: { preStateHash: emptyRoot, postStateHash, bonds: [], blockNumber: 0n },
      ...{ deploys: [], systemDeploys: [], rejectedDeploys: [], extraBytes: emptyBytes },
    },
    justifications: [],
    sender: emptyBytes,
    sequenceNumber: 0,
    signature: emptyBytes,
    signatureAlgorithm: "",
    shardId: "root",
    extraBytes: emptyBytes,
  };
  return new Block({ ...fields, hash: hashBlock(new Block(fields), rnode) });
}
