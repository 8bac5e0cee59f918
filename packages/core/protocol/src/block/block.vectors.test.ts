import { fromBinary, toBinary } from "@bufbuild/protobuf";
import { blake2b256, emptyBytes, fromHex, toHex } from "@vedette/crypto";
import {
  areRecordingsThere,
  chainsThatAreThere,
  lengthPrefixed,
  ownF1r3nodeChain,
  readChainFile,
} from "@vedette/testing";
import { describe, expect, test } from "vitest";
import { f1r3node } from "../dialect/f1r3node.js";
import { rnode } from "../dialect/rnode.js";
import { BlockMessageProtoSchema } from "../generated/casper/block_pb.js";
import { candidateDigest, decodeApprovedBlock, encodeApprovedBlock } from "../genesis/approvalCodec.js";
import { decodeStoreItems, encodeStoreItems } from "../packet/statePackets.js";
import { Block } from "./Block.js";
import type { RejectedDeploy } from "./Body.js";
import { decodeBlock, decodeStoredBlock, encodeBlock, encodeBody, encodeHeader } from "./blockEncoding.js";
import { hashBlock } from "./blockHash.js";
import { checkBlockSignature, checkDeploySignatures } from "./blockSignature.js";
import { f1r3nodeForm } from "./f1r3nodeForm.js";

const filled = (byte: number, length = 32): Uint8Array => new Uint8Array(length).fill(byte);
const key = Uint8Array.from([4, ...filled(0x44, 64)]);

function vectorBlock(change: Partial<Block> = {}): Block {
  return new Block({
    hash: emptyBytes,
    header: { parents: [filled(0x11)], timestamp: 1700000000000n, version: 1n, extraBytes: emptyBytes },
    body: {
      state: {
        preStateHash: filled(0x22),
        postStateHash: filled(0x33),
        bonds: [{ validator: key, stake: 100n }],
        blockNumber: 7n,
      },
      deploys: [],
      systemDeploys: [{ systemDeploy: { kind: "closeBlock" }, log: [], error: "" }],
      extraBytes: emptyBytes,
      rejectedDeploys: [],
    },
    justifications: [],
    sender: key,
    sequenceNumber: 3,
    signature: emptyBytes,
    signatureAlgorithm: "secp256k1",
    shardId: "root",
    extraBytes: emptyBytes,
    ...change,
  });
}

describe("vectors of chapter 40 §15.1", () => {
  test("header and body bytes", () => {
    const block = vectorBlock();
    expect(toHex(encodeHeader(block))).toBe(`0a20${"11".repeat(32)}2880d095ffbc313001`);
    expect(toHex(encodeBody(block))).toBe(
      `0a8d010a20${"22".repeat(32)}1220${"33".repeat(32)}1a450a41${toHex(key)}106420071a040a021200`,
    );
  });

  test("block hashes of both dialects", () => {
    const hash = (change: Partial<Block>, dialect = rnode): string => toHex(hashBlock(vectorBlock(change), dialect));
    const unsigned = { sender: emptyBytes, signatureAlgorithm: "" };
    expect(hash({})).toBe("52e8d673dee61a5b23d8cfc1ddc1c9094f808105fefd1e6ec0595d38589b3ab1");
    expect(hash({ ...unsigned, sequenceNumber: 0 })).toBe(
      "1b98700cf261d9f66f2e28062d2f34c5b1c268d478bb3aa1b49f264a7fc63aef",
    );
    expect(hash(unsigned)).toBe("c39e2b5ddf8710ff3e99d1d9dce8a6fde23074a4780cf7d3dea09982619d7dd0");
    expect(hash({}, f1r3node)).toBe("272a72e8f2cabac2da5766039674baf7947d8561c6bf9a3657b709288ddcd61e");
  });

  test("the digest that approvals sign", () => {
    const block = vectorBlock({
      hash: fromHex("52e8d673dee61a5b23d8cfc1ddc1c9094f808105fefd1e6ec0595d38589b3ab1"),
      justifications: [{ validator: key, latestBlockHash: filled(0x11) }],
      signature: fromHex("3000"),
    });
    expect(encodeBlock(block).length).toBe(425);
    expect(toHex(blake2b256(encodeBlock(block)))).toBe(
      "ac2b5b6029a503d82546784ec397e7dd60b8fdc44a48044766a16e49e9cd6a17",
    );
    expect(toHex(candidateDigest({ block, requiredSignatures: 2 }))).toBe(
      "6a570d4e87dbe3cc3a060595fac100d40b01e9230f32c4d32e828ea3ac21232b",
    );
  });
});

interface BlockLine {
  readonly hash: string;
  readonly number: number;
  readonly seqNum: number;
  readonly sender: string;
  readonly parents: readonly string[];
  readonly timestamp: number;
  readonly preState: string;
  readonly postState: string;
  /** Our own recordings have stakes as text. */
  readonly bonds: readonly { validator: string; stake: number | string }[];
  readonly deploys: readonly {
    id: string;
    cost: number;
    failed: boolean;
    systemError: string | null;
    events: number;
  }[];
}

describe.each(chainsThatAreThere("solo", "trio", "merge", "equivocation-v1", "equivocation-v3b"))(
  "chain %s",
  (chain) => {
    const file = (name: string): Uint8Array => readChainFile(chain, name);

    test("every block decodes to what was recorded, and encodes to the same bytes and hash", () => {
      const lines = new TextDecoder().decode(file("blocks.jsonl")).trim().split("\n");
      const messages = lengthPrefixed(file("blocks.bin"));
      expect(messages.length).toBe(lines.length);
      messages.forEach((bytes, index) => {
        const block = decodeBlock(bytes, rnode.blockForm);
        expect(block.cachedEncoding, "is canonical").toBeDefined();
        checkLine(block, JSON.parse(lines[index] ?? "{}") as BlockLine);
        expect(toHex(hashBlock(block, rnode))).toBe(toHex(block.hash));
        expect(checkBlockSignature(block, rnode)).toBe(index === 0 ? "unsupportedAlgorithm" : undefined);
        checkDeploySignatures(block, rnode);
        const again = encodeBlock(new Block(block));
        expect(Buffer.compare(again, bytes)).toBe(0);
      });
    });

    test("an independent protobuf implementation reads the same block bytes", () => {
      const [first = emptyBytes] = lengthPrefixed(file("blocks.bin"));
      expect(Buffer.compare(toBinary(BlockMessageProtoSchema, fromBinary(BlockMessageProtoSchema, first)), first)).toBe(
        0,
      );
    });

    test("the approved block and the state's pages decode and encode to the same bytes", () => {
      const approved = file("approved-block.bin");
      const decoded = decodeApprovedBlock(approved, rnode.blockForm);
      expect(Buffer.compare(encodeApprovedBlock(decoded), approved)).toBe(0);
      expect(toHex(hashBlock(decoded.candidate.block, rnode))).toBe(toHex(decoded.candidate.block.hash));
      for (const page of lengthPrefixed(file("state-genesis.bin"))) {
        expect(Buffer.compare(encodeStoreItems(decodeStoreItems(page)), page)).toBe(0);
      }
    });
  },
);

interface F1r3nodeLine extends BlockLine {
  readonly appliedFromScope: readonly string[];
  readonly mergeBase: string;
  readonly rejectedDeploys: readonly { id: string; duplicate: boolean; carrier: string }[];
}

describe.each([ownF1r3nodeChain, ...(areRecordingsThere ? ["solo-r", "trio-r"] : [])])(
  "chain %s of the newer dialect",
  (chain) => {
    const file = (name: string): Uint8Array => readChainFile(chain, name);

    test("every block decodes to what was recorded, and encodes to the same bytes and hash", () => {
      const lines = new TextDecoder().decode(file("blocks.jsonl")).trim().split("\n");
      const messages = lengthPrefixed(file("blocks.bin"));
      expect(messages.length).toBe(lines.length);
      messages.forEach((bytes, index) => {
        const block = decodeBlock(bytes, f1r3nodeForm);
        const line = JSON.parse(lines[index] ?? "{}") as F1r3nodeLine;
        expect(block.cachedEncoding, "is canonical").toBeDefined();
        checkLine(block, line);
        const { rejectedDeploys, appliedFromScope = [], mergeBase = emptyBytes } = block.body;
        expect(appliedFromScope.map(toHex)).toEqual(line.appliedFromScope);
        expect(toHex(mergeBase)).toBe(line.mergeBase);
        expect(rejectedDeploys.map(recordOfRejection)).toEqual(line.rejectedDeploys);
        checkDeploySignatures(block, f1r3node);
        expect(checkBlockSignature(block, f1r3node)).toBe(block.number === 0n ? "unsupportedAlgorithm" : undefined);
        for (const again of [new Block(block), new Block(decodeStoredBlock(bytes, f1r3nodeForm))]) {
          expect(toHex(hashBlock(again, f1r3node))).toBe(line.hash);
          expect(Buffer.compare(encodeBlock(again), bytes)).toBe(0);
        }
      });
    });

    test("the approved block decodes and encodes to the same bytes", () => {
      const approved = file("approved-block.bin");
      const decoded = decodeApprovedBlock(approved, f1r3nodeForm);
      expect(Buffer.compare(encodeApprovedBlock(decoded), approved)).toBe(0);
      const again = { ...decoded, candidate: { ...decoded.candidate, block: new Block(decoded.candidate.block) } };
      expect(Buffer.compare(encodeApprovedBlock(again), approved)).toBe(0);
      expect(toHex(hashBlock(again.candidate.block, f1r3node))).toBe(toHex(decoded.candidate.block.hash));
    });
  },
);

function recordOfRejection({ signature, duplicate = false, carrier = emptyBytes }: RejectedDeploy): unknown {
  return { id: toHex(signature), duplicate, carrier: toHex(carrier) };
}

function checkLine(block: Block, line: BlockLine): void {
  const { state, deploys } = block.body;
  expect({
    hash: toHex(block.hash),
    number: Number(block.number),
    seqNum: block.sequenceNumber,
    sender: toHex(block.sender),
    parents: block.parents.map(toHex),
    timestamp: Number(block.header.timestamp),
    preState: toHex(state.preStateHash),
    postState: toHex(state.postStateHash),
    bonds: state.bonds.map(({ validator, stake }) => ({ validator: toHex(validator), stake: Number(stake) })),
    deploys: deploys.map(({ deploy, cost, failed, systemDeployError, log }) => ({
      id: toHex(deploy.signature),
      cost: Number(cost),
      failed,
      systemError: systemDeployError === "" ? null : systemDeployError,
      events: log.length,
    })),
  }).toMatchObject({
    hash: line.hash,
    number: line.number,
    seqNum: line.seqNum,
    sender: line.sender,
    parents: line.parents,
    timestamp: line.timestamp,
    preState: line.preState,
    postState: line.postState,
    bonds: line.bonds.map(({ validator, stake }) => ({ validator, stake: Number(stake) })),
    deploys: line.deploys,
  });
}
