import { blake2b256, toHex } from "@vedette/crypto";
import { expect, test } from "vitest";
import { eventsOfEntry } from "./eventsOfEntry.js";
import { decodeEntry, type EntryDeploys, encodeEntry, type LogEntryKind } from "./logEntry.js";
import { FakeEventChain, madeDeploy } from "./testing/FakeEventChain.js";

const made = new FakeEventChain();
const deploys = [madeDeploy(), madeDeploy()] as const;
const block = made.next(deploys);
const rejectedBy = blake2b256(Uint8Array.of(1));
const second: EntryDeploys = { rejectedBy, idHashes: [blake2b256(deploys[1].deploy.signature)] };

/** The kinds and cursors of an entry's events, as it comes back from the log. */
function eventsOf(kind: LogEntryKind, named?: EntryDeploys) {
  const entry = decodeEntry(7, encodeEntry({ kind, hash: block.hash, deploys: named }));
  expect(entry).toEqual({ kind, hash: block.hash, deploys: named });
  return eventsOfEntry({ cursor: "00-7", entry }, block);
}

test("the deploys of a final block become final events, those that a merge gave up rejected ones, at their places", () => {
  const events = eventsOf("blockFinalized", second);
  expect(events.map(({ kind, cursor }) => `${kind} ${cursor}`)).toEqual([
    "blockFinalized 00-7-0-0",
    "deployFinalized 00-7-1-0",
    "deployRejected 00-7-1-1",
  ]);
  const [, final, rejected] = events.map(({ message }) => JSON.parse(message.toString()));
  expect(final).not.toHaveProperty("rejectedBy");
  expect(rejected).toMatchObject({
    deployId: toHex(deploys[1].deploy.signature),
    blockHash: toHex(block.hash),
    rejectedBy: toHex(rejectedBy),
  });
  expect(eventsOf("blockFinalized").map(({ kind }) => kind)).toEqual([
    "blockFinalized",
    "deployFinalized",
    "deployFinalized",
  ]);
});

test("a deploy that failed has no final event with its block", () => {
  const failing = made.next([madeDeploy(), madeDeploy({ failed: true })]);
  const entry = { kind: "blockFinalized", hash: failing.hash } as const;
  expect(eventsOfEntry({ cursor: "00-8", entry }, failing).map(({ kind, cursor }) => `${kind} ${cursor}`)).toEqual([
    "blockFinalized 00-8-0-0",
    "deployFinalized 00-8-1-0",
  ]);
});

test("what a later merge decides anew has events for the named deploys alone", () => {
  expect(eventsOf("deploysRejected", second).map(({ kind, cursor }) => `${kind} ${cursor}`)).toEqual([
    "deployRejected 00-7-1-1",
  ]);
  const restored = eventsOf("deploysRestored", second);
  expect(restored.map(({ kind, cursor }) => `${kind} ${cursor}`)).toEqual(["deployFinalized 00-7-1-1"]);
  expect(JSON.parse(restored[0]!.message.toString())).not.toHaveProperty("rejectedBy");
});

test("an entry that is cut off is known to be damaged", () => {
  const bytes = encodeEntry({ kind: "blockFinalized", hash: block.hash, deploys: second });
  expect(() => decodeEntry(7, bytes.subarray(0, bytes.length - 1))).toThrow(/7/);
});
