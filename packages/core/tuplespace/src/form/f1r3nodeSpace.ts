import { compareBytes } from "@vedette/crypto";
import { ConsumeEvent, ProduceEvent } from "@vedette/protocol";
import {
  type BindPattern,
  f1r3nodeTerms,
  hashedContinuation,
  hashedData,
  hashedPattern,
  type Par,
} from "@vedette/terms";
import { bincodeConsumeHash, bincodeProduceHash, type HashedConsume } from "../bincode/bincodeHash.js";
import {
  bincodeLeafHash,
  bincodeLeafKind,
  checkBincodeLeaf,
  decodeBincodeLeaf,
  encodeBincodeJoin,
  encodeBincodeLeaf,
} from "../bincode/bincodeLeaf.js";
import { sortHashes } from "../event/channelsHash.js";
import { F1r3nodeDatum } from "../f1r3node/F1r3nodeDatum.js";
import { F1r3nodeJoin } from "../f1r3node/F1r3nodeJoin.js";
import { F1r3nodeWaiting } from "../f1r3node/F1r3nodeWaiting.js";
import { Leaf } from "../leaf/Leaf.js";
import { f1r3nodeRules } from "../rules/f1r3nodeRules.js";
import type { SpaceDialect } from "./SpaceDialect.js";

const none: readonly never[] = [];

/** The hashed and stored forms of f1r3node networks. @spec 61 §2.1, §2.2 */
export const f1r3nodeSpace: SpaceDialect = {
  rules: f1r3nodeRules,
  channelHash: (channel) => f1r3nodeTerms.channelHash(channel),
  produceEvent(channelHash, data, persist) {
    const hash = bincodeProduceHash(channelHash, hashedData(data), persist);
    return new ProduceEvent(channelHash, hash, persist);
  },
  consumeEvent(channelHashes, patterns, continuation, persist) {
    const hash = bincodeConsumeHash({
      channelHashes,
      patterns: hashedPatterns(patterns),
      continuation: hashedContinuation(continuation),
      persist,
    });
    return new ConsumeEvent(sortHashes(channelHashes), hash, persist);
  },
  datum: (content, persist, source) => F1r3nodeDatum.of(content, persist, source),
  waiting: (fields) => F1r3nodeWaiting.of(fields),
  leafOfData(items) {
    const stored = items.map((item) => F1r3nodeDatum.asStored(item)).sort(byEncoding);
    const { hash, value } = encodeBincodeLeaf("data", encodings(stored));
    return { leaf: new Leaf(hash, "data", stored, none, none, value.length), bytes: value };
  },
  leafOfContinuations(items) {
    const stored = items.map((item) => F1r3nodeWaiting.asStored(item)).sort(byEncoding);
    const { hash, value } = encodeBincodeLeaf("continuations", encodings(stored));
    return { leaf: new Leaf(hash, "continuations", none, stored, none, value.length), bytes: value };
  },
  leafOfJoins(lists) {
    const stored = lists.map(joinOf).sort(byEncoding);
    const { hash, value } = encodeBincodeLeaf("joins", encodings(stored));
    return { leaf: new Leaf(hash, "joins", none, none, stored, value.length), bytes: value };
  },
  decodeLeaf(hash, bytes) {
    const { kind, items } = decodeBincodeLeaf(bytes);
    const data = kind === "data" ? items.map((item) => F1r3nodeDatum.decode(item)) : none;
    const continuations = kind === "continuations" ? items.map((item) => F1r3nodeWaiting.fromBytes(item)) : none;
    const joins = kind === "joins" ? items.map((item) => F1r3nodeJoin.decode(item)) : none;
    return new Leaf(hash, kind, data, continuations, joins, bytes.length);
  },
  // The kind is not covered.
  leafHash: bincodeLeafHash,
  uncoveredKind: bincodeLeafKind,
  checkUncovered: checkBincodeLeaf,
  pagesAreSets: true,
};

function hashedPatterns(patterns: readonly BindPattern[]): HashedConsume["patterns"] {
  if (patterns.length === 1) return [hashedPattern(patterns[0]!)];
  return patterns.map((pattern) => f1r3nodeTerms.storedBindPattern(pattern));
}

function joinOf(channels: readonly Par[]): F1r3nodeJoin {
  const parts = channels.map((channel) => f1r3nodeTerms.storedPar(channel));
  return F1r3nodeJoin.ofParts(encodeBincodeJoin(parts), parts);
}

function encodings(items: readonly { readonly encoding: Uint8Array }[]): readonly Uint8Array[] {
  return items.map((item) => item.encoding);
}

function byEncoding(left: { readonly encoding: Uint8Array }, right: { readonly encoding: Uint8Array }): number {
  return compareBytes(left.encoding, right.encoding);
}
