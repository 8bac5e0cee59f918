import { blake2b256, compareBytes, F1r3nodeRandom, toHex } from "@vedette/crypto";
import { Block, CommEvent, ConsumeEvent, type Event, hashKey, ProduceEvent } from "@vedette/protocol";
import { f1r3nodeTerms, GString, ListParWithRandom, Par } from "@vedette/terms";
import {
  bincodeProduceHash,
  dataKey,
  emptyRoot,
  encodeBincodeDatum,
  encodeBincodeLeaf,
  memoryStateStore,
  updateTree,
} from "@vedette/tuplespace";
import { describe, expect, test } from "vitest";
import { ScopeMerger } from "./ScopeMerger.js";

const noBytes = new Uint8Array(0);
const channelOf = (name: string): Uint8Array => blake2b256(f1r3nodeTerms.storedPar(textPar(name)));

function textPar(text: string): Par {
  return Par.of({ exprs: [new GString(text)] });
}

/** A text on a channel. */
interface Datum {
  readonly channel: string;
  readonly item: Uint8Array;
  readonly source: ProduceEvent;
}

function datum(channel: string, text: string): Datum {
  const randomState = F1r3nodeRandom.fromSeed(Uint8Array.of(1)).toBytes();
  const content = f1r3nodeTerms.storedListParWithRandom(new ListParWithRandom([textPar(text)], randomState));
  const hash = channelOf(channel);
  const source = new ProduceEvent(hash, bincodeProduceHash(hash, content, false), false);
  return { channel, item: encodeBincodeDatum({ content, persist: false, source }), source };
}

const store = memoryStateStore();

/** The root of the state that holds these data. */
function stateOf(...data: readonly Datum[]): Uint8Array {
  const names = [...new Set(data.map(({ channel }) => channel))];
  const leaves = names.map((name) => {
    const items = data.filter(({ channel }) => channel === name).map(({ item }) => item);
    return { key: dataKey(channelOf(name)), ...encodeBincodeLeaf("data", items) };
  });
  const { root, newNodes } = updateTree(
    store,
    emptyRoot,
    leaves.map(({ key, hash }) => ({ key, value: hash })),
  );
  store.putItems(
    newNodes.map(({ hash, node }) => ({ key: hash, value: node.bytes })),
    leaves.map(({ hash, value }) => ({ key: hash, value })),
  );
  return root;
}

/** The log of a deploy that takes a datum and puts others. */
function logOf(id: number, takes: Datum | undefined, puts: readonly Datum[]): Event[] {
  const produced = puts.map(({ source }) => source);
  if (takes === undefined) return produced;
  const consume = new ConsumeEvent([takes.source.channelsHash], blake2b256(Uint8Array.of(id)), false);
  return [consume, new CommEvent(consume, [takes.source], [0], []), ...produced];
}

interface Deployed {
  readonly id: number;
  readonly cost?: bigint;
  readonly takes?: Datum;
  readonly puts?: readonly Datum[];
  readonly validAfter?: bigint;
}

function blockOf(
  number: bigint,
  pre: Uint8Array,
  post: Uint8Array,
  deploys: readonly Deployed[],
  parent: Uint8Array = noBytes,
): Block {
  const fields = {
    header: { parents: [parent], timestamp: 0n, version: 1n, extraBytes: noBytes },
    body: {
      state: { preStateHash: pre, postStateHash: post, bonds: [], blockNumber: number },
      deploys: deploys.map(({ id, cost = 1n, takes, puts = [], validAfter = 0n }) => ({
        deploy: {
          ...{
            deployer: noBytes,
            term: "",
            timestamp: 0n,
            signature: idOf(id),
            algorithm: "secp256k1" as const,
            phloPrice: 1n,
          },
          ...{ phloLimit: 1n, validAfterBlockNumber: validAfter, shardId: "root" },
        },
        cost,
        log: logOf(id, takes, puts),
        failed: false,
        systemDeployError: "",
      })),
      systemDeploys: [],
      extraBytes: noBytes,
      rejectedDeploys: [],
    },
    ...{ justifications: [], sender: noBytes, sequenceNumber: 1, signature: noBytes, signatureAlgorithm: "" },
    ...{ shardId: "root", extraBytes: noBytes },
  };
  return new Block({ ...fields, hash: blake2b256(Uint8Array.of(...deploys.map(({ id }) => id))) });
}

const idOf = (id: number): Uint8Array => new Uint8Array(70).fill(id);

function merge(
  baseState: Uint8Array,
  blocks: readonly Block[],
  more: Partial<Parameters<ScopeMerger["merge"]>[0]> = {},
) {
  const merger = new ScopeMerger(store, ({ body }) => body.deploys.map(() => new Map()));
  const merged = [...blocks].sort((left, right) => compareBytes(left.hash, right.hash));
  const priorRejections = new Map<string, number>();
  const known = { lineage: [], settled: new Set<string>(), lateUpTo: -50n, recorded: [], priorRejections };
  const { stateHash, applied, records } = merger.merge({ baseState, merged, ...known, ...more });
  const rejected = records.map(({ signature, duplicate, carrier }) => [signature[0], duplicate, toHex(carrier)]);
  return { state: toHex(stateHash), applied: applied.map((id) => id[0]), rejected };
}

describe("blocks side by side", () => {
  const [a, b, c, d, e] = [datum("x", "a"), datum("x", "b"), datum("x", "c"), datum("y", "d"), datum("z", "e")];
  const base = stateOf(a, d);
  const first = blockOf(2n, base, stateOf(b, d), [{ id: 1, takes: a, puts: [b], cost: 7n }]);
  const second = blockOf(2n, base, stateOf(a, d, e), [{ id: 2, puts: [e] }]);
  const rival = blockOf(2n, base, stateOf(c, d), [{ id: 3, takes: a, puts: [c], cost: 9n }]);

  test("that do not touch each other are both in the merged state", () => {
    const expected = { state: toHex(stateOf(b, d, e)), applied: [1, 2], rejected: [] };
    expect(merge(base, [first, second])).toEqual(expected);
  });

  test("that take the same datum are merged without the cheaper one", () => {
    const { state, applied, rejected } = merge(base, [first, second, rival]);
    expect({ state, applied }).toEqual({ state: toHex(stateOf(c, d, e)), applied: [2, 3] });
    expect(rejected).toEqual([[1, false, toHex(first.hash)]]);
  });

  test("that take the same datum are merged without the one that lost less before, where that counts", () => {
    const priorRejections = new Map([[toHex(idOf(1)), 1]]);
    const { applied, rejected } = merge(base, [first, second, rival], { priorRejections });
    expect({ applied, rejected }).toEqual({ applied: [1, 2], rejected: [[3, false, toHex(rival.hash)]] });
  });

  test("lose what conflicts with the base's own lineage, and nothing is recorded twice", () => {
    const onFirst = stateOf(b, d);
    const { state, applied, rejected } = merge(onFirst, [second, rival], { lineage: [first] });
    expect({ state, applied }).toEqual({ state: toHex(stateOf(b, d, e)), applied: [2] });
    expect(rejected).toEqual([[3, false, toHex(rival.hash)]]);
    const recorded = [{ signature: idOf(3), duplicate: false, carrier: rival.hash }];
    expect(merge(onFirst, [second, rival], { lineage: [first], recorded }).rejected).toEqual([]);
  });

  test("lose what comes too late, and what is built on it", () => {
    const late = blockOf(2n, base, stateOf(b, d), [{ id: 1, takes: a, puts: [b], validAfter: 3n }]);
    const above = blockOf(3n, stateOf(b, d), stateOf(b, d, e), [{ id: 4, puts: [e], validAfter: 9n }], late.hash);
    const { state, applied, rejected } = merge(base, [late, above], { lateUpTo: 3n });
    expect({ state, applied }).toEqual({ state: toHex(base), applied: [] });
    expect(rejected.map(([id]) => id)).toEqual([1, 4]);
  });

  test("take over one copy of a deploy: the higher one, or none where it is settled", () => {
    const again = blockOf(3n, base, stateOf(a, d, e), [
      { id: 2, puts: [e] },
      { id: 5, takes: d },
    ]);
    const higher = new Block({
      ...again,
      body: { ...again.body, state: { ...again.body.state, postStateHash: stateOf(a, e) } },
    });
    expect(merge(base, [second, higher])).toEqual({ state: toHex(stateOf(a, e)), applied: [2, 5], rejected: [] });
    const settled = new Set([hashKey(idOf(2))]);
    expect(merge(stateOf(a, d, e), [second], { settled })).toEqual({
      state: toHex(stateOf(a, d, e)),
      ...{ applied: [], rejected: [] },
    });
  });

  test("are refused where it is not known what they did to number channels", () => {
    const merger = new ScopeMerger(store, () => undefined);
    const request = {
      ...{ lineage: [], settled: new Set<string>(), lateUpTo: 0n, recorded: [] },
      priorRejections: new Map<string, number>(),
    };
    expect(() => merger.merge({ ...request, baseState: base, merged: [first] })).toThrow("Mergeable store");
  });

  test("are refused when there are too many chains to compare", () => {
    const merger = new ScopeMerger(store, ({ body }) => body.deploys.map(() => new Map()), { maxChains: 1 });
    const request = {
      ...{ lineage: [], settled: new Set<string>(), lateUpTo: 0n, recorded: [] },
      priorRejections: new Map<string, number>(),
    };
    expect(() => merger.merge({ ...request, baseState: base, merged: [first, second] })).toThrow("chains");
  });
});
