import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { chainDirectory, chainsThatAreThere, runs } from "@vedette/testing";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ProcessedSystemDeploy, SystemDeploy } from "../deploy/processedDeploy.js";
import { rnode } from "../dialect/rnode.js";
import { ConsumeEvent } from "../event/Event.js";
import { WireError } from "../wire/WireError.js";
import { Block } from "./Block.js";
import type { BlockCodec } from "./BlockCodec.js";
import { decodeBlock, decodeStoredBlock, encodeBlock } from "./blockEncoding.js";
import { f1r3nodeForm } from "./f1r3nodeForm.js";

const bytes = fc.oneof(fc.constant(new Uint8Array(0)), fc.uint8Array({ maxLength: 40 }));
const int64 = fc.oneof(fc.constant(0n), fc.bigInt({ min: -(1n << 63n), max: (1n << 63n) - 1n }), fc.bigInt(-2n, 300n));
const int32 = fc.oneof(fc.constant(0), fc.integer());
const text = fc.oneof(fc.constant(""), fc.string({ unit: "grapheme", maxLength: 8 }));
const log = fc.array(
  fc.tuple(bytes, fc.boolean()).map(([hash, persistent]) => new ConsumeEvent([hash], hash, persistent)),
  { maxLength: 3 },
);
const deploy = fc.record({
  deployer: bytes,
  term: text,
  timestamp: int64,
  signature: bytes,
  algorithm: fc.constantFrom("secp256k1" as const, "secp256k1:eth" as const),
  phloPrice: int64,
  phloLimit: int64,
  validAfterBlockNumber: int64,
  shardId: text,
});
const processedDeploy = fc.record({ deploy, cost: int64, log, failed: fc.boolean(), systemDeployError: text });
const systemDeploy: fc.Arbitrary<SystemDeploy> = fc.oneof(
  fc.record({ kind: fc.constant("slash" as const), invalidBlockHash: bytes, issuerPublicKey: bytes }),
  fc.constant({ kind: "closeBlock" as const }),
  fc.constant({ kind: "empty" as const }),
);
const processedSystemDeploy: fc.Arbitrary<ProcessedSystemDeploy> = fc
  .tuple(systemDeploy, log, text)
  .map(([deployed, events, error]) =>
    error === ""
      ? { systemDeploy: deployed, log: events, error }
      : { systemDeploy: { kind: "empty" }, log: events, error },
  );
const bond = fc.record({ validator: bytes, stake: int64 });
const some = <T>(item: fc.Arbitrary<T>): fc.Arbitrary<T[]> => fc.array(item, { maxLength: 3 });
const anyBlock = fc
  .record({
    hash: bytes,
    header: fc.record({ parents: some(bytes), timestamp: int64, version: int64, extraBytes: bytes }),
    body: fc.record({
      state: fc.record({ preStateHash: bytes, postStateHash: bytes, bonds: some(bond), blockNumber: int64 }),
      deploys: some(processedDeploy),
      systemDeploys: some(processedSystemDeploy),
      extraBytes: bytes,
      rejectedDeploys: some(fc.record({ signature: bytes })),
    }),
    justifications: some(fc.record({ validator: bytes, latestBlockHash: bytes })),
    sender: bytes,
    sequenceNumber: int32,
    signature: bytes,
    signatureAlgorithm: text,
    shardId: text,
    extraBytes: bytes,
  })
  .map((fields) => new Block(fields));

/** A field that is left out rather than zero. */
const set = fc.bigInt({ min: 1n, max: (1n << 63n) - 1n });
const f1r3nodeDeploy = fc
  .tuple(deploy, set)
  .map(([fields, expirationTimestamp]) => ({ ...fields, expirationTimestamp }));
const f1r3nodeSlash = fc.record({
  ...{ kind: fc.constant("slash" as const), invalidBlockHash: bytes, issuerPublicKey: bytes },
  targetActivationEpoch: set,
});
const longBytes = fc.uint8Array({ minLength: 1, maxLength: 40 });
const f1r3nodeBlock = fc
  .tuple(anyBlock, fc.option(f1r3nodeDeploy), fc.option(f1r3nodeSlash), some(longBytes), fc.option(longBytes))
  .map(([block, taken, slash, hashes, base]) => {
    const deploys = block.body.deploys.map((processed) => ({ ...processed, deploy: taken ?? processed.deploy }));
    const systemDeploys = slash === null ? [] : [{ systemDeploy: slash, log: [], error: "" }];
    const body = {
      ...block.body,
      deploys,
      systemDeploys: [...systemDeploys, ...block.body.systemDeploys],
      rejectedDeploys: hashes.map((signature) => ({ signature, duplicate: true as const, carrier: signature })),
      ...(hashes.length === 0 ? {} : { appliedFromScope: hashes }),
      ...(base === null ? {} : { mergeBase: base }),
    };
    return new Block({ ...block, body, form: f1r3nodeForm });
  });

const emptyBlock = fc.sample(
  anyBlock.map((block) => new Block({ ...block, body: { ...block.body, deploys: [], systemDeploys: [] } })),
  { numRuns: 1, seed: 1 },
)[0]!;

/** Without the caches. */
const fieldsOf = (block: Block): Block => new Block(block);

/** Compares by the quick and stricter means first: the assertion goes through every byte by itself. */
function expectEqual(found: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(found, expected)) expect(found).toEqual(expected);
}

/** Either a WireError or a block; its canonical bytes were received as such, or decode to the same block. */
function checkAgreement(received: Uint8Array, form: BlockCodec = rnode.blockForm): void {
  let block: Block;
  try {
    block = decodeBlock(received, form);
  } catch (error) {
    expect(error).toBeInstanceOf(WireError);
    return;
  }
  const written = encodeBlock(fieldsOf(block));
  const same = Buffer.compare(written, received) === 0;
  expect(block.cachedEncoding !== undefined).toBe(same);
  if (!same) expectEqual(fieldsOf(decodeBlock(written, form)), fieldsOf(block));
}

describe("block codec", () => {
  test("what is written is read back, as canonical bytes", () => {
    fc.assert(
      fc.property(anyBlock, (block) => {
        const written = encodeBlock(block).slice();
        const read = decodeBlock(written, rnode.blockForm);
        expectEqual(read.cachedEncoding, written);
        expectEqual(read.cachedHeader, block.cachedHeader);
        expectEqual(read.cachedBody, block.cachedBody);
        expectEqual(fieldsOf(read), fieldsOf(block));
      }),
      { numRuns: runs(40, 200) },
    );
  });

  test("what is read from the store is the same block, in copies of its deploys too", () => {
    fc.assert(
      fc.property(anyBlock, (block) => {
        const written = encodeBlock(block).slice();
        const read = decodeStoredBlock(written, rnode.blockForm);
        expectEqual(read.cachedEncoding, written);
        expectEqual(read.cachedBody, block.cachedBody);
        expectEqual(structuredClone(read.body), structuredClone(block.body));
        expectEqual(fieldsOf(read), fieldsOf(block));
        expectEqual(
          read.body.deploys.map((deploy) => ({ ...deploy })),
          block.body.deploys,
        );
        expectEqual(encodeBlock(fieldsOf(read)), written);
      }),
      { numRuns: runs(40, 200) },
    );
  });

  test("a damaged log of the store is a WireError at its first use", () => {
    const hash = new Uint8Array(32).fill(7);
    const systemDeploy = {
      systemDeploy: { kind: "closeBlock" },
      log: [new ConsumeEvent([hash], hash, false)],
      error: "",
    };
    const { body } = emptyBlock;
    const block = new Block({
      ...emptyBlock,
      body: { ...body, systemDeploys: [systemDeploy as ProcessedSystemDeploy] },
    });
    const written = encodeBlock(block).slice();
    // The length of the first hash becomes longer than the event is.
    written[written.findIndex((_, at) => written.subarray(at, at + 32).every((byte) => byte === 7)) - 1] = 0x7f;
    const read = decodeStoredBlock(written, rnode.blockForm);
    expect(() => read.body.systemDeploys[0]!.log).toThrow(WireError);
    expect(() => decodeBlock(written, rnode.blockForm)).toThrow(WireError);
  });

  test("damaged blocks are a WireError, or are read and written consistently", () => {
    const damage = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(anyBlock, damage, fc.nat(20), (block, changes, cut) => {
        const written = encodeBlock(block).slice();
        for (const [at, value] of changes) if (written.length > 0) written[at % written.length] = value;
        checkAgreement(cut < 15 ? written : written.subarray(0, Math.max(0, written.length - (cut - 14))));
      }),
      { numRuns: runs(200, 1_500) },
    );
  });

  test("two messages after each other are merged as protobuf wants, and then written as one", () => {
    fc.assert(
      fc.property(anyBlock, anyBlock, (left, right) => {
        checkAgreement(Uint8Array.from([...encodeBlock(left), ...encodeBlock(right)]));
      }),
      { numRuns: runs(40, 200) },
    );
  });

  test("unknown fields are dropped, also a deploy's language", () => {
    fc.assert(
      fc.property(anyBlock, (block) => {
        const extra = Uint8Array.from([...encodeBlock(block), 0x98, 0x06, 0x01, 0xa3, 0x06, 0x08, 0x01, 0xa4, 0x06]);
        expectEqual(fieldsOf(decodeBlock(extra, rnode.blockForm)), fieldsOf(block));
        expect(decodeBlock(extra, rnode.blockForm).cachedEncoding).toBeUndefined();
      }),
    );
  });

  test("a deploy with an unknown algorithm is refused", () => {
    // body 1a, deploys 12, deploy 0a, sigAlgorithm 2a.
    const algorithm = [...new TextEncoder().encode("ed25519")];
    const message = [0x1a, 13, 0x12, 11, 0x0a, 9, 0x2a, 7, ...algorithm];
    expect(() => decodeBlock(Uint8Array.from(message), rnode.blockForm)).toThrow("Invalid signing algorithm");
  });

  test.each(chainsThatAreThere("merge"))("a damaged block of chain %s never crashes", (chain) => {
    const all = Uint8Array.from(readFileSync(join(chainDirectory(chain), "blocks.bin")));
    const start = 8 + new DataView(all.buffer).getUint32(0);
    const block = all.slice(start, start + new DataView(all.buffer).getUint32(start - 4));
    fc.assert(
      fc.property(fc.nat(block.length - 1), fc.nat(255), (at, value) => {
        const before = block[at] ?? 0;
        block[at] = value;
        checkAgreement(block);
        block[at] = before;
      }),
      { numRuns: runs(50, 300) },
    );
  });
});

describe("block codec of f1r3node's form", () => {
  test("what is written is read back, as canonical bytes", () => {
    fc.assert(
      fc.property(f1r3nodeBlock, (block) => {
        const written = encodeBlock(block).slice();
        for (const read of [decodeBlock(written, f1r3nodeForm), decodeStoredBlock(written, f1r3nodeForm)]) {
          expectEqual(read.cachedEncoding, written);
          expectEqual(read.cachedHeader, block.cachedHeader);
          expectEqual(read.cachedBody, block.cachedBody);
          expectEqual(fieldsOf(read), fieldsOf(block));
        }
      }),
    );
  });

  test("damaged blocks are a WireError, or are read and written consistently", () => {
    fc.assert(
      fc.property(f1r3nodeBlock, fc.nat(), fc.nat(255), (block, at, value) => {
        const written = encodeBlock(block).slice();
        written[at % written.length] = value;
        checkAgreement(written, f1r3nodeForm);
      }),
      { numRuns: runs(150, 1_000) },
    );
  });

  test.each([
    ["header", [0x1a, 2, 0x0a, 0]],
    ["body", [0x12, 0]],
    ["state", [0x12, 0, 0x1a, 0]],
    ["deploy", [0x12, 0, 0x1a, 4, 0x0a, 0, 0x12, 0]],
    ["systemDeploy", [0x12, 0, 0x1a, 4, 0x0a, 0, 0x1a, 0]],
    ["consume", [0x12, 0, 0x1a, 10, 0x0a, 0, 0x1a, 6, 0x0a, 0, 0x12, 2, 0x1a, 0]],
  ])("a block without %s is refused", (field, message) => {
    const read = () => decodeBlock(Uint8Array.from(message), f1r3nodeForm);
    expect(read).toThrow(`Missing ${field} field`);
  });
});
