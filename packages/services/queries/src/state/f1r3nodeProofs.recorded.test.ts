import { readFileSync } from "node:fs";
import { join } from "node:path";
import { printStateProof, rnodeProofs, StateProofError, verifyStateProof } from "@vedette/client/proof";
import { f1r3nodeProofs } from "@vedette/client/rust-proofs";
import { concatBytes, fromHex } from "@vedette/crypto";
import { type EntriesCall, loadForms, type NameGiven, StateReader } from "@vedette/executor";
import { lastF1r3nodeState } from "@vedette/executor/testing";
import { type Block, decodeBlock, encodeBody, encodeHeader, f1r3node } from "@vedette/protocol";
import { lengthPrefixed, recordedDirectory } from "@vedette/testing";
import { beforeAll, describe, expect, test } from "vitest";

const chains = recordedDirectory("chains-r");

describe(`proofs of a state of the newer node`, () => {
  let reader: StateReader;
  let block: Block;
  beforeAll(async () => {
    const { store, states } = lastF1r3nodeState("solo-r");
    const read = (name: string): Uint8Array => readFileSync(join(chains, "solo-r", name));
    block = decodeBlock(lengthPrefixed(read("blocks.bin")).at(-1)!, f1r3node.blockForm);
    states.recordRoot(block.body.state.postStateHash);
    const signals = { isCancelled: () => false, nowMs: () => performance.now() };
    reader = new StateReader(store, signals, { forms: await loadForms("f1r3node") });
  });

  /** A node's answer, and its proof as JSON. */
  function asked(kind: EntriesCall["kind"], name: NameGiven) {
    const root = block.body.state.postStateHash;
    const call = { root, kind, names: [name], withBytes: false, withProof: true, most: 100, timeoutMs: 30_000 };
    const answer = reader.entries(call);
    if (answer.kind !== "entries") throw new TypeError(answer.kind);
    const { channels, count } = answer;
    const { nodes, leaf, format } = answer.proof!;
    const content = concatBytes(encodeHeader(block), encodeBody(block), f1r3node.blockHashTail(block));
    const anchor = { hash: block.hash, state: "post" as const, content };
    const json = printStateProof({ root, kind, channels, nodes, leaf, block: anchor }, format);
    return { json, count, question: { kind, channels } };
  }

  const names: readonly (readonly [EntriesCall["kind"], NameGiven, boolean])[] = [
    ["continuations", { form: "uri", text: "rho:registry:lookup" }, true],
    ["joins", { form: "uri", text: "rho:registry:lookup" }, true],
    ["data", { form: "rholang", text: '"nothing was sent here"' }, false],
    ["data", { form: "private", bytes: fromHex("00".repeat(32)) }, false],
  ];

  test.each(names)("lead from the block's hash to what is there, or is not: %s of %o", (kind, name, isThere) => {
    const { json, count, question } = asked(kind, name);
    const proven = verifyStateProof(json, { blockHash: block.hash }, question, f1r3nodeProofs);
    expect([proven.isPresent, proven.block?.number]).toEqual([isThere, block.number]);
    const { items } = proven;
    const found = items.kind === "data" ? items.data : items.kind === "joins" ? items.joins : items.continuations;
    expect([items.kind, found.length, count > 0]).toEqual([kind, count, isThere]);
  });

  test("are refused where they are taken for the other dialect's, or altered", () => {
    const { json } = asked("continuations", { form: "uri", text: "rho:registry:lookup" });
    const check = (proof: unknown) => verifyStateProof(proof, { blockHash: block.hash }, undefined, f1r3nodeProofs);
    expect(() => verifyStateProof(json, { blockHash: block.hash }, undefined, rnodeProofs)).toThrow(
      "format is not vedette-state-proof/1",
    );
    const leaf = json.leaf!;
    const altered = [
      { ...json, leaf: `01${leaf.slice(2)}` },
      { ...json, leaf: `${leaf.slice(0, -2)}${leaf.endsWith("00") ? "01" : "00"}` },
      { ...json, leaf: null },
      { ...json, nodes: json.nodes.slice(0, -1) },
      { ...json, channels: [`${json.channels[0]!}00`] },
      { ...json, kind: "data" as const },
    ];
    for (const proof of altered) expect(() => check(proof)).toThrow(StateProofError);
    expect(check(json).isPresent).toBe(true);
  });
});
