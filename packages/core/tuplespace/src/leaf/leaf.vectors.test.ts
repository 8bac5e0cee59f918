import { toHex } from "@vedette/crypto";
import {
  BindPattern,
  decodeBindPattern,
  decodeContinuation,
  decodeListParWithRandom,
  encodeBindPattern,
  encodeContinuation,
  encodeListParWithRandom,
} from "@vedette/terms";
import { describe, expect, test } from "vitest";
import { consumeEvent, produceEvent } from "../event/eventHash.js";
import { readRecordedState, recordedStateNames } from "../testing/recordedState.js";
import { Datum } from "./Datum.js";
import { decodeVector } from "./itemList.js";
import { encodeJoin } from "./Join.js";
import { Leaf, leafOfEncodings } from "./Leaf.js";
import { decodeLeaf } from "./leafEncoding.js";
import { WaitingContinuation } from "./WaitingContinuation.js";

describe.each(recordedStateNames())("every leaf of %s", (name) => {
  const { pages } = readRecordedState(name);
  const items = pages.flatMap(({ dataItems }) => dataItems);

  test("has the items that its encoding says, and the items' terms encode to the same bytes", () => {
    for (const { key, value } of items) {
      const leaf = Leaf.decode(key, value);
      const { kind, list } = decodeLeaf(value);
      expect(leaf.encodedItems.map(toHex)).toEqual(decodeVector(list).map(toHex));
      expect(toHex(leafOfEncodings(kind, leaf.encodedItems.reverse()).bytes)).toBe(toHex(value));
      for (const datum of leaf.data) checkDatum(datum);
      for (const waiting of leaf.continuations) checkContinuation(waiting);
      for (const join of leaf.joins) expect(toHex(encodeJoin(join.channels))).toBe(toHex(join.encoding));
    }
  });
});

/** Builds the datum anew from its parts: nothing of the stored bytes is used again. */
function checkDatum(datum: Datum): void {
  const content = decodeListParWithRandom(encodeListParWithRandom(datum.a).slice());
  content.cachedEncoding = undefined;
  const { source } = datum;
  expect(toHex(Datum.of(content, datum.persist, source).encoding)).toBe(toHex(datum.encoding));
  expect(toHex(produceEvent(source.channelsHash, content, datum.persist).hash)).toBe(toHex(source.hash));
}

function checkContinuation(waiting: WaitingContinuation): void {
  const patterns = waiting.patterns.map((pattern) => {
    const { patterns, remainder, freeCount } = decodeBindPattern(encodeBindPattern(pattern));
    return new BindPattern(patterns, remainder, freeCount);
  });
  const continuation = decodeContinuation(encodeContinuation(waiting.continuation).slice());
  continuation.cachedEncoding = undefined;
  const { persist, peeks, source } = waiting;
  const rebuilt = WaitingContinuation.of({ patterns, continuation, persist, peeks, source });
  expect(toHex(rebuilt.encoding)).toBe(toHex(waiting.encoding));
  const event = consumeEvent(source.channelsHashes, patterns, continuation, persist);
  expect(toHex(event.hash)).toBe(toHex(source.hash));
}
