import { blake2b256, concatBytes, fromHex, toHex } from "@vedette/crypto";
import { Block, encodeBody, encodeHeader, f1r3node, hashBlock, rnode } from "@vedette/protocol";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { rnodeProofs } from "./rnodeProofs.js";
import type { StateProofJson } from "./StateProof.js";
import { StateProofError } from "./StateProofError.js";
import { nameOf, SmallState } from "./testing/SmallState.js";
import { type ProvenState, type TrustedHash, verifyStateProof } from "./verifyStateProof.js";

const names = ["a", "b", "c", "d", "e", "f", "g", "h"];
const texts = fc.array(fc.string({ minLength: 1, maxLength: 20 }), { minLength: 1, maxLength: 3 });
const anyData = fc.dictionary(fc.constantFrom(...names), texts).map((data) => new Map(Object.entries(data)));
const anyName = fc.constantFrom(...names);

function found({ items }: ProvenState): readonly string[] {
  if (items.kind !== "data") throw new TypeError("data were asked for");
  return items.data.map(({ pars }) => (pars[0]!.exprs[0] as { readonly value: string }).value).sort();
}

test("a proof shows what lies on a name, and that nothing does", () => {
  fc.assert(
    fc.property(anyData, anyName, (data, name) => {
      const state = new SmallState(data);
      const proven = verifyStateProof(
        // As it comes over the wire.
        JSON.parse(JSON.stringify(state.prove("data", [nameOf(name)]))),
        { root: state.root },
        { kind: "data", channels: [nameOf(name)] },
        rnodeProofs,
      );
      expect(found(proven)).toEqual([...(data.get(name) ?? [])].sort());
      expect(proven.isPresent).toBe(data.has(name));
    }),
  );
});

/** Every text of hexadecimal digits in a proof, with a way to replace it. */
function hexParts(proof: StateProofJson): { readonly text: string; readonly put: (text: string) => StateProofJson }[] {
  return [
    { text: proof.root, put: (root) => ({ ...proof, root }) },
    ...proof.nodes.map((text, at) => ({
      text,
      put: (node: string) => ({ ...proof, nodes: proof.nodes.with(at, node) }),
    })),
    ...(proof.leaf === null ? [] : [{ text: proof.leaf, put: (leaf: string) => ({ ...proof, leaf }) }]),
    ...(proof.block === undefined
      ? []
      : [
          { text: proof.block.hash, put: (hash: string) => ({ ...proof, block: { ...proof.block!, hash } }) },
          { text: proof.block.content, put: (content: string) => ({ ...proof, block: { ...proof.block!, content } }) },
        ]),
  ];
}

const anyChange = fc.oneof(
  fc.record({ kind: fc.constant("flip" as const), at: fc.nat(), flip: fc.integer({ min: 1, max: 255 }) }),
  fc.record({ kind: fc.constant("cut" as const), at: fc.nat(), flip: fc.constant(0) }),
  fc.record({ kind: fc.constant("add" as const), at: fc.nat(), flip: fc.nat(255) }),
);

function changed(text: string, { kind, at, flip }: { kind: "flip" | "cut" | "add"; at: number; flip: number }): string {
  const bytes = fromHex(text);
  const place = at % Math.max(1, bytes.length);
  if (kind === "cut") return toHex(bytes.slice(0, place));
  if (kind === "add") return toHex(concatBytes(bytes.slice(0, place), Uint8Array.of(flip), bytes.slice(place)));
  return toHex(bytes.map((byte, index) => (index === place ? byte ^ flip : byte)));
}

/** A block with a state after it, hashed as either dialect does. */
function blockOn(postState: Uint8Array, dialect: typeof rnode, parents = 2): Block {
  const unhashed = {
    hash: new Uint8Array(32),
    header: {
      parents: Array.from({ length: parents }, (_, index) => new Uint8Array(32).fill(index)),
      timestamp: 1_700_000_000_000n,
      version: 1n,
      extraBytes: parents === 1 ? Uint8Array.of(0x0a, 0x20) : new Uint8Array(0),
    },
    body: {
      state: {
        preStateHash: new Uint8Array(32).fill(7),
        postStateHash: postState,
        bonds: [{ validator: new Uint8Array(65).fill(4), stake: 100n }],
        blockNumber: 300n,
      },
      deploys: [],
      systemDeploys: [],
      extraBytes: Uint8Array.of(1, 2, 3),
      rejectedDeploys: [],
    },
    justifications: [],
    sender: new Uint8Array(65).fill(4),
    sequenceNumber: 3,
    signature: new Uint8Array(0),
    signatureAlgorithm: "secp256k1",
    shardId: "root",
    extraBytes: new Uint8Array(0),
  };
  return new Block({ ...unhashed, hash: hashBlock(new Block(unhashed), dialect) });
}

function anchored(proof: StateProofJson, block: Block, dialect: typeof rnode): StateProofJson {
  const content = concatBytes(encodeHeader(block), encodeBody(block), dialect.blockHashTail(block));
  return { ...proof, block: { hash: toHex(block.hash), state: "post", content: toHex(content) } };
}

describe("a proof that begins at a block", () => {
  for (const [title, dialect] of [
    ["rnode", rnode],
    ["f1r3node", f1r3node],
  ] as const)
    for (const parents of [0, 1, 3])
      test(`of the ${title} dialect with ${parents} parents`, () => {
        const state = new SmallState(new Map([["a", ["x"]]]));
        const block = blockOn(state.root, dialect, parents);
        const proof = anchored(state.prove("data", [nameOf("a")]), block, dialect);
        const proven = verifyStateProof(proof, { blockHash: block.hash }, undefined, rnodeProofs);
        expect(found(proven)).toEqual(["x"]);
        expect(proven.block).toEqual({ hash: block.hash, number: 300n, state: "post" });
        const pre = { ...proof, block: { ...proof.block!, state: "pre" } };
        expect(() => verifyStateProof(pre, { blockHash: block.hash }, undefined, rnodeProofs)).toThrow(
          "not about the trusted 0707",
        );
        const { block: _, ...bare } = proof;
        expect(() => verifyStateProof(bare, { blockHash: block.hash }, undefined, rnodeProofs)).toThrow(
          "does not begin at a block",
        );
        expect(() => verifyStateProof(proof, { blockHash: state.root }, undefined, rnodeProofs)).toThrow(
          "begins at the block",
        );
      });
});

test("no proof that was altered holds", () => {
  fc.assert(
    fc.property(anyData, anyName, fc.boolean(), fc.nat(), anyChange, (data, name, isAnchored, part, change) => {
      const state = new SmallState(data);
      const block = blockOn(state.root, rnode);
      const plain = state.prove("data", [nameOf(name)]);
      const proof = isAnchored ? anchored(plain, block, rnode) : plain;
      const trusted: TrustedHash = isAnchored ? { blockHash: block.hash } : { root: state.root };
      verifyStateProof(proof, trusted, undefined, rnodeProofs);
      const parts = hexParts(proof);
      const { text, put } = parts[part % parts.length]!;
      fc.pre(changed(text, change) !== text);
      expect(() => verifyStateProof(put(changed(text, change)), trusted, undefined, rnodeProofs)).toThrow(
        StateProofError,
      );
    }),
    { numRuns: 500 },
  );
});

test("nodes cannot be left out, added, repeated or moved; nor can the leaf", () => {
  fc.assert(
    fc.property(anyData, anyName, fc.nat(), (data, name, at) => {
      const state = new SmallState(data);
      const proof = state.prove("data", [nameOf(name)]);
      const refused = (other: StateProofJson) =>
        expect(() => verifyStateProof(other, { root: state.root }, undefined, rnodeProofs)).toThrow(StateProofError);
      const { nodes } = proof;
      if (nodes.length > 0) {
        const place = at % nodes.length;
        refused({ ...proof, nodes: nodes.toSpliced(place, 1) });
        refused({ ...proof, nodes: nodes.toSpliced(place, 0, nodes[place]!) });
        if (nodes.length > 1) refused({ ...proof, nodes: [...nodes].reverse() });
      }
      refused({ ...proof, nodes: [...nodes, ""] });
      refused({ ...proof, leaf: proof.leaf === null ? "" : null });
      refused({ ...proof, kind: "joins" as const, leaf: proof.leaf ?? "00" });
    }),
  );
});

test("a proof about another name is either true of it or does not hold", () => {
  fc.assert(
    fc.property(anyData, anyName, anyName, (data, name, other) => {
      const state = new SmallState(data);
      const moved = { ...state.prove("data", [nameOf(name)]), channels: [toHex(nameOf(other))] };
      const asked = { kind: "data", channels: [nameOf(name)] } as const;
      if (name !== other)
        expect(() => verifyStateProof(moved, { root: state.root }, asked, rnodeProofs)).toThrow("another question");
      try {
        expect(found(verifyStateProof(moved, { root: state.root }, undefined, rnodeProofs))).toEqual(
          [...(data.get(other) ?? [])].sort(),
        );
      } catch (error) {
        expect(error).toBeInstanceOf(StateProofError);
      }
    }),
  );
});

test("another encoding of a name cannot be shown to be absent", () => {
  const state = new SmallState(new Map([["a", ["x"]]]));
  // The same field twice: the later one counts.
  const padded = concatBytes(nameOf("b"), nameOf("a"));
  for (const channel of [padded, Uint8Array.of(0xff), Uint8Array.of(0x0a, 0x7f)])
    expect(() =>
      verifyStateProof(state.prove("data", [channel]), { root: state.root }, undefined, rnodeProofs),
    ).toThrow(StateProofError);
});

test("whatever is given, it is refused in words and nothing breaks", () => {
  const root = blake2b256(new Uint8Array(0));
  const empty = new SmallState(new Map()).prove("data", [nameOf("a")]);
  expect(verifyStateProof(empty, { root }, undefined, rnodeProofs).isPresent).toBe(false);
  const refusals: readonly (readonly [unknown, RegExp])[] = [
    [undefined, /JSON must be an object/],
    [[empty], /JSON must be an object/],
    [{}, /JSON lacks format/],
    [{ ...empty, format: "other" }, /format is not vedette/],
    [{ ...empty, more: 1 }, /has a member that is not known: more/],
    [{ ...empty, kind: "toString" }, /kind must be/],
    [{ ...empty, root: "00" }, /root must have at least 32 bytes/],
    [{ ...empty, root: "zz".repeat(32) }, /root must be an even number of hexadecimal digits/],
    [{ ...empty, root: `${"00".repeat(32)}0` }, /root must have at most 32 bytes/],
    [{ ...empty, channels: [] }, /channels must have one item/],
    [{ ...empty, channels: ["", ""] }, /channels must have one item/],
    [{ ...empty, channels: [1] }, /channels\[0\] must be a text/],
    [{ ...empty, nodes: new Array(34).fill("") }, /nodes must have at most 33 items/],
    [{ ...empty, nodes: ["00".repeat(50_000)] }, /nodes\[0\] must have at most/],
    [{ ...empty, nodes: { length: 1 } }, /nodes must be an array/],
    [{ ...empty, leaf: undefined }, /leaf must be a text/],
    [{ ...empty, block: null }, /block must be an object/],
    [{ ...empty, block: { hash: "", state: "post", content: "" } }, /block.hash must have/],
    [{ ...empty, block: { hash: "00".repeat(32), state: "next", content: "" } }, /block.state must be/],
    [{ ...empty, nodes: ["00"], root: toHex(blake2b256(Uint8Array.of(0))) }, /not about the trusted/],
  ];
  for (const [json, message] of refusals)
    expect(() => verifyStateProof(json, { root }, undefined, rnodeProofs)).toThrow(message);
  fc.assert(
    fc.property(fc.anything(), (json) => {
      expect(() => verifyStateProof(json, { root }, undefined, rnodeProofs)).toThrow(StateProofError);
    }),
  );
});

test("nodes and leaves of another form are refused although their hashes fit", () => {
  const channel = nameOf("a");
  const key = blake2b256(channel);
  const node = (leaf: Uint8Array) => concatBytes(Uint8Array.of(0, 32), key, blake2b256(leaf));
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (leaf) => {
      const bytes = node(leaf);
      const proof = { format: "vedette-state-proof/1", kind: "data", channels: [toHex(channel)], leaf: toHex(leaf) };
      const json = { ...proof, root: toHex(blake2b256(bytes)), nodes: [toHex(bytes)] };
      expect(() => verifyStateProof(json, { root: blake2b256(bytes) }, undefined, rnodeProofs)).toThrow(
        StateProofError,
      );
      const broken = leaf.length === 0 ? Uint8Array.of(1) : leaf;
      const odd = { ...proof, leaf: null, root: toHex(blake2b256(broken)), nodes: [toHex(broken)] };
      expect(() => verifyStateProof(odd, { root: blake2b256(broken) }, undefined, rnodeProofs)).toThrow(
        StateProofError,
      );
    }),
  );
});

test("what is nested deeper than the stack is refused in words", () => {
  const depth = 60_000;
  const parts: Uint8Array[] = [];
  let length = 0;
  // From the inside out: lists of one list each.
  for (let level = 0; level < depth; level += 1)
    for (const tag of [[0x0a], [0xa2, 0x01], [0x2a]]) {
      const head = Uint8Array.of(...tag, ...varint(length));
      parts.push(head);
      length += head.length;
    }
  const channel = Buffer.concat(parts.reverse());
  const proof = { ...new SmallState(new Map()).prove("data", [nameOf("a")]), channels: [toHex(channel)] };
  expect(() => verifyStateProof(proof, { root: blake2b256(new Uint8Array(0)) }, undefined, rnodeProofs)).toThrow(
    /nested too deeply/,
  );
});

function varint(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...varint(value >>> 7)];
}
