import { blake2b256 } from "@vedette/crypto";
import { ConsumeEvent, ProduceEvent } from "@vedette/protocol";
import { hashedContinuation, hashedData, type Par, rustTerms } from "@vedette/terms";
import { bincodeConsumeHash, bincodeProduceHash } from "../bincode/bincodeHash.js";
import {
  bincodeLeafKind,
  checkBincodeLeaf,
  decodeBincodeLeaf,
  encodeBincodeJoin,
  encodeBincodeLeaf,
} from "../bincode/bincodeLeaf.js";
import { sortHashes } from "../event/channelsHash.js";
import { type EncodedLeaf, Leaf } from "../leaf/Leaf.js";
import type { LeafKind } from "../leaf/LeafError.js";
import { rustRules } from "../rules/rustRules.js";
import { RustDatum } from "../rust/RustDatum.js";
import { RustJoin } from "../rust/RustJoin.js";
import { RustWaiting } from "../rust/RustWaiting.js";
import type { SpaceForm } from "./SpaceForm.js";

const none: readonly never[] = [];

/** What is hashed and stored on networks of the newer node. @spec 61 §2.1, §2.2 */
export const rustSpace: SpaceForm = {
  rules: rustRules,
  channelHash: (channel) => rustTerms.channelHash(channel),
  produceEvent(channelHash, data, persist) {
    const hash = bincodeProduceHash(channelHash, hashedData(data), persist);
    return new ProduceEvent(channelHash, hash, persist);
  },
  consumeEvent(channelHashes, patterns, continuation, persist) {
    const hash = bincodeConsumeHash({
      channelHashes,
      patterns: patterns.map((pattern) => rustTerms.storedBindPattern(pattern)),
      continuation: hashedContinuation(continuation),
      persist,
    });
    return new ConsumeEvent(sortHashes(channelHashes), hash, persist);
  },
  datum: (content, persist, source) => RustDatum.of(content, persist, source),
  waiting: (fields) => RustWaiting.of(fields),
  leafOfData: (items) => encoded("data", encodings(items)),
  leafOfContinuations: (items) => encoded("continuations", encodings(items)),
  leafOfJoins: (lists) => encoded("joins", lists.map(encodeJoin)),
  decodeLeaf(hash, bytes) {
    const { kind, items } = decodeBincodeLeaf(bytes);
    const data = kind === "data" ? items.map((item) => RustDatum.decode(item)) : none;
    const continuations = kind === "continuations" ? items.map((item) => RustWaiting.fromBytes(item)) : none;
    const joins = kind === "joins" ? items.map((item) => RustJoin.decode(item)) : none;
    return new Leaf(hash, kind, data, continuations, joins, bytes.length);
  },
  // The kind is not covered.
  leafHash: (bytes) => blake2b256(bytes.subarray(4)),
  uncoveredKind: bincodeLeafKind,
  checkUncovered: checkBincodeLeaf,
  pagesAreSets: true,
};

function encodeJoin(channels: readonly Par[]): Uint8Array {
  return encodeBincodeJoin(channels.map((channel) => rustTerms.storedPar(channel)));
}

function encodings(items: readonly { readonly encoding: Uint8Array }[]): readonly Uint8Array[] {
  return items.map((item) => item.encoding);
}

/** Read from its bytes again: what comes from the state has lost its sets of free variables, and so it costs less. */
function encoded(kind: LeafKind, items: readonly Uint8Array[]): EncodedLeaf {
  const { hash, value } = encodeBincodeLeaf(kind, items);
  return { leaf: rustSpace.decodeLeaf(hash, value), bytes: value };
}
