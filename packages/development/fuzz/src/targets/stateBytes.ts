import { blake2b256, equalBytes, toHex } from "@vedette/crypto";
import { decodeEvent, encodeEvent, WireError } from "@vedette/protocol";
import { BindPattern, DecodeError, ListParWithRandom, SystemContinuation } from "@vedette/terms";
import {
  decodeMergeable,
  emptyRoot,
  encodeMergeable,
  exportItems,
  LeafError,
  MergeError,
  memoryStateStore,
  PlaySpace,
  StatePageError,
} from "@vedette/tuplespace";
import {
  decodePath,
  element,
  encodePath,
  freePattern,
  int,
  Leaf,
  name,
  simpleMatch,
} from "@vedette/tuplespace/testing";
import { must, refusedAs, type Target } from "../driver/Target.js";
import { exampleLog } from "./wireExamples.js";

/** The bytes that are read from a state, from a log and from merging's own table. */
export const stateBytes: Target = {
  name: "state-bytes",
  about: "any bytes are a leaf, an event, a table of numbers that is written the same, or refused as such",
  cost: "cheap",
  files: ["tuplespace/leaf/", "protocol/event/", "tuplespace/merge/numberChannels.js", "tuplespace/statePages/path.js"],
  maxBytes: 600,
  *seeds() {
    for (const event of exampleLog()) yield encodeEvent(event);
    yield encodeMergeable([new Map([[toHex(blake2b256(Uint8Array.of(1))), -5n]]), new Map()]);
    yield* exampleLeaves();
  },
  run(input) {
    checkLeaf(input);
    checkEvent(input);
    checkNumbers(input);
    checkPath(input);
  },
  show: toHex,
};

/** A leaf of each kind. */
function exampleLeaves(): Uint8Array[] {
  const store = memoryStateStore();
  const space = new PlaySpace(store, simpleMatch, emptyRoot);
  const random = blake2b256(Uint8Array.of(1));
  for (const value of [1, 2]) space.produce(name(1), new ListParWithRandom([int(value)], random), value === 2);
  const pattern = new BindPattern([freePattern], undefined, 1);
  space.consume([name(2), name(3)], [pattern, pattern], new SystemContinuation(7n), true, [0, 1]);
  const page = exportItems(store, [element(space.checkpoint().root)], { skip: 0, take: 750 });
  return page!.dataItems.map(({ value }) => value);
}

function checkLeaf(input: Uint8Array): void {
  const hash = blake2b256(input);
  let leaf: Leaf;
  try {
    leaf = Leaf.decode(hash, input);
    for (const item of leaf.encodedItems) must(item.length >= 0, "an item has its bytes");
  } catch (error) {
    refusedAs(error, LeafError, DecodeError);
    return;
  }
  must(Leaf.decode(hash, input).kind === leaf.kind, "a leaf is of one kind");
}

function checkEvent(input: Uint8Array): void {
  try {
    const bytes = encodeEvent(decodeEvent(input));
    must(equalBytes(encodeEvent(decodeEvent(bytes)), bytes), "an event stays the same");
  } catch (error) {
    refusedAs(error, WireError);
  }
}

function checkNumbers(input: Uint8Array): void {
  try {
    const bytes = encodeMergeable(decodeMergeable(input));
    must(equalBytes(encodeMergeable(decodeMergeable(bytes)), bytes), "a table of numbers stays the same");
  } catch (error) {
    refusedAs(error, MergeError);
  }
}

/** A path as a peer sends it: a root, then nodes with their places. */
function checkPath(input: Uint8Array): void {
  const path = Array.from({ length: Math.min(8, input.length) }, (_, index) => ({
    hash: blake2b256(input.subarray(0, input[index]! & 1)),
    index: index === 0 && input[index]! < 200 ? undefined : input[index]! & 0xff,
  }));
  try {
    const place = decodePath(path);
    const { root, prefix = new Uint8Array(0) } = place;
    must(equalBytes(decodePath(encodePath(root, prefix)).root, root), "a path is written and read again");
  } catch (error) {
    refusedAs(error, StatePageError);
  }
}
