import { blake2b256, concatBytes, equalBytes, fromHex, toHex } from "@vedette/crypto";
import { ConsumeEvent, decodeStoreItems, ProduceEvent } from "@vedette/protocol";
import {
  BincodeReader,
  BindPattern,
  f1r3nodeTerms,
  GInt,
  ListParWithRandom,
  nil,
  parOfExpr,
  readStoredBindPattern,
  readStoredContinuation,
  readStoredListParWithRandom,
  readStoredPar,
  SystemContinuation,
} from "@vedette/terms";
import { areRecordingsThere, lengthPrefixed, readChainFile, readVectors } from "@vedette/testing";
import { describe, expect, test } from "vitest";
import { channelsHash } from "../event/channelsHash.js";
import { continuationsKey, dataKey, joinsKey } from "../leaf/historyKey.js";
import { LeafError } from "../leaf/LeafError.js";
import { buildTree } from "../testing/buildTree.js";
import { bincodeConsumeHash, bincodeProduceHash } from "./bincodeHash.js";
import {
  decodeBincodeContinuation,
  decodeBincodeDatum,
  decodeBincodeJoin,
  decodeBincodeLeaf,
  encodeBincodeContinuation,
  encodeBincodeDatum,
  encodeBincodeJoin,
  encodeBincodeLeaf,
} from "./bincodeLeaf.js";

/** Checks the parts of a leaf: its form, its hash, the hashes within it. Returns the keys under which it may lie. */
function checkLeaf(
  hash: string,
  value: Uint8Array,
): { readonly faults: readonly string[]; readonly keys: readonly string[] } {
  const faults: string[] = [];
  const { kind, items } = decodeBincodeLeaf(value);
  const again = encodeBincodeLeaf(kind, items);
  if (toHex(again.hash) !== hash) faults.push("leaf hash");
  if (!equalBytes(again.value, value)) faults.push("value");
  const keys = new Set<string>();
  for (const item of items) {
    const checked = kind === "data" ? checkDatum(item) : kind === "joins" ? checkJoin(item) : checkContinuation(item);
    faults.push(...checked.faults);
    for (const key of checked.keys) keys.add(toHex(key));
  }
  return { faults, keys: [...keys] };
}

interface Checked {
  readonly faults: readonly string[];
  readonly keys: readonly Uint8Array[];
}

function checkDatum(item: Uint8Array): Checked {
  const faults: string[] = [];
  const datum = decodeBincodeDatum(item);
  const { content, persist, source } = datum;
  if (!equalBytes(encodeBincodeDatum(datum), item)) faults.push("datum");
  if (!equalBytes(bincodeProduceHash(source.channelsHash, content, persist), source.hash)) faults.push("produce hash");
  if (!isReadAgain(content, readStoredListParWithRandom, f1r3nodeTerms.storedListParWithRandom)) faults.push("content");
  return { faults, keys: [dataKey(source.channelsHash)] };
}

function checkContinuation(item: Uint8Array): Checked {
  const faults: string[] = [];
  const waiting = decodeBincodeContinuation(item);
  const { patterns, continuation, persist, source } = waiting;
  const channelHashes = source.channelsHashes;
  const hash = bincodeConsumeHash({ channelHashes, patterns, continuation, persist });
  if (!equalBytes(encodeBincodeContinuation(waiting), item)) faults.push("continuation");
  if (!equalBytes(hash, source.hash)) faults.push("consume hash");
  if (!isReadAgain(continuation, readStoredContinuation, f1r3nodeTerms.storedContinuation)) faults.push("body");
  if (!patterns.every((pattern) => isReadAgain(pattern, readStoredBindPattern, f1r3nodeTerms.storedBindPattern)))
    faults.push("pattern");
  return { faults, keys: [continuationsKey(channelsHash(channelHashes))] };
}

function checkJoin(item: Uint8Array): Checked {
  const channels = decodeBincodeJoin(item);
  const isSame =
    equalBytes(encodeBincodeJoin(channels), item) &&
    channels.every((channel) => isReadAgain(channel, readStoredPar, f1r3nodeTerms.storedPar));
  return { faults: isSame ? [] : ["join"], keys: channels.map((channel) => joinsKey(blake2b256(channel))) };
}

function isReadAgain<Term>(
  bytes: Uint8Array,
  read: (reader: BincodeReader) => Term,
  write: (term: Term) => Uint8Array,
): boolean {
  return equalBytes(write(read(new BincodeReader(bytes))), bytes);
}

const hash = (byte: number): Uint8Array => new Uint8Array(32).fill(byte);
const empty = f1r3nodeTerms.storedPar(nil);

describe("small items", () => {
  const content = f1r3nodeTerms.storedListParWithRandom(new ListParWithRandom([nil], fromHex("aabb")));
  const pattern = f1r3nodeTerms.storedBindPattern(new BindPattern([nil], undefined, 1));
  const continuation = f1r3nodeTerms.storedContinuation(new SystemContinuation(5n));

  test("a datum keeps what its source says, outputs too", () => {
    const source = new ProduceEvent(hash(1), hash(2), true, false, [fromHex("0102")], true);
    const item = encodeBincodeDatum({ content, persist: true, source });
    expect(toHex(item)).toBe(
      `0100000000000000${toHex(empty)}0200000000000000aabb01` +
        `2000000000000000${toHex(hash(1))}2000000000000000${toHex(hash(2))}0100010000000000000002000000000000000102` +
        "01",
    );
    expect(decodeBincodeDatum(item)).toEqual({ content, persist: true, source });
  });

  test("a continuation keeps its patterns' order, and its peeks", () => {
    const source = new ConsumeEvent([hash(1), hash(2)], hash(3), false);
    const waiting = { patterns: [pattern, pattern], continuation, persist: false, peeks: [0, 300], source };
    expect(decodeBincodeContinuation(encodeBincodeContinuation(waiting))).toEqual(waiting);
  });

  test("a join keeps the order of its channels", () => {
    const channel = f1r3nodeTerms.storedPar(parOfExpr(new GInt(0n)));
    expect(decodeBincodeJoin(encodeBincodeJoin([channel, empty]))).toEqual([channel, empty]);
  });

  test("a leaf's items are sorted by their bytes, and its hash does not cover its kind", () => {
    const leaf = encodeBincodeLeaf("data", [fromHex("0200"), fromHex("03"), fromHex("0100ff")]);
    expect(decodeBincodeLeaf(leaf.value).items.map(toHex)).toEqual(["0100ff", "0200", "03"]);
    expect(encodeBincodeLeaf("joins", [fromHex("03"), fromHex("0200"), fromHex("0100ff")]).hash).toEqual(leaf.hash);
  });

  test("what is cut off, goes on, or is of no kind is refused", () => {
    const source = new ProduceEvent(hash(1), hash(2), false);
    const item = encodeBincodeDatum({ content, persist: true, source });
    const { value } = encodeBincodeLeaf("data", [item]);
    for (let length = 0; length < value.length; length += 1)
      expect(() => decodeBincodeLeaf(value.subarray(0, length))).toThrow(LeafError);
    for (let length = 0; length < item.length; length += 1)
      expect(() => decodeBincodeDatum(item.subarray(0, length))).toThrow(LeafError);
    expect(() => decodeBincodeDatum(concatBytes(item, hash(0)))).toThrow("follow");
    expect(() => decodeBincodeLeaf(fromHex("0300000008000000000000000000000000000000"))).toThrow("kind");
  });
});

interface StateVector {
  readonly id: string;
  readonly expect: { readonly root: string; readonly leaves: readonly (readonly [string, string, string])[] };
}

const stateVectors = (): StateVector[] => [...readVectors<StateVector>("f1r3node", "state")];

describe("f1r3node's states", () => {
  test("have leaves of this form, at these keys", () => {
    const failures: string[] = [];
    let compared = 0;
    for (const { id, expect } of stateVectors())
      for (const [key, leafHash, value] of expect.leaves) {
        compared += 1;
        const { faults, keys } = checkLeaf(leafHash, fromHex(value));
        for (const fault of faults) failures.push(`${id} ${key}: ${fault}`);
        if (!keys.includes(key)) failures.push(`${id} ${key}: key`);
      }
    expect(failures).toEqual([]);
    expect(compared).toBeGreaterThan(1_000);
  });

  test("have the roots of rnode's tree over these leaves", () => {
    const rows = stateVectors();
    // The first program leaves data alone: what waits in its state is the bootstrap's, which the other rows leave out.
    const bootstrap = rows[0]!.expect.leaves.filter(([key]) => !key.startsWith("00"));
    expect(bootstrap.length).toBe(10);
    expect(rootOf(bootstrap)).toBe("facf59ccc55ee2c04802c7399bcff0d15154f70e0d2bc40cf041aac0a89499c1");
    for (const { id, expect: expected } of rows)
      expect(rootOf([...bootstrap, ...expected.leaves]), id).toBe(expected.root);
  });
});

/** The root over leaves, of which a later one of the same key counts. */
function rootOf(leaves: StateVector["expect"]["leaves"]): string {
  const contents = new Map(leaves.map(([key, , value]) => [key, decodeBincodeLeaf(fromHex(value))]));
  const entries = [...contents].map(
    ([key, { kind, items }]) => [fromHex(key), encodeBincodeLeaf(kind, items).hash] as const,
  );
  return toHex(buildTree(entries).root);
}

if (areRecordingsThere)
  test.each(["solo-r", "trio-r"])("the leaves of chain %s's states", (chain) => {
    const failures: string[] = [];
    let compared = 0;
    for (const pages of [readChainFile(chain, "state-genesis.bin"), readChainFile(chain, "state-lfb.bin")])
      for (const page of lengthPrefixed(pages))
        for (const { key: leafHash, value } of decodeStoreItems(page).dataItems) {
          compared += 1;
          const { faults } = checkLeaf(toHex(leafHash), value);
          for (const fault of faults) failures.push(`${toHex(leafHash)}: ${fault}`);
        }
    expect(failures).toEqual([]);
    expect(compared).toBeGreaterThan(1_000);
  });
