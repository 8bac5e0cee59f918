import { parMessage } from "@vedette/api/grpc";
import { posQueryTerm } from "@vedette/client";
import { blockFixture, type FakeServices, lightBlockFixture } from "@vedette/client/fakes";
import { vaultAddressOfPublicKey } from "@vedette/crypto";
import { compile } from "@vedette/rholang";
import { expect } from "vitest";

export type Deploys = NonNullable<FakeServices["deploys"]>;
export type Explore = NonNullable<Deploys["exploratoryDeploy"]>;

export const address = vaultAddressOfPublicKey(new Uint8Array(65).fill(0x11))!;
export const validator = `04${"87".repeat(64)}`;
export const hash = "aa".repeat(32);
export const refusal = (...messages: string[]) => ({ message: { case: "error" as const, value: { messages } } });
export const readOnly = refusal("Exploratory deploy can only be executed on read-only RNode.");

/** Answers an exploratory deploy with the values of a Rholang text. */
export function answering(...values: string[]): Explore {
  const postBlockData = values.map((text) => parMessage(compile(text)));
  return () => ({ message: { case: "result", value: { postBlockData, block: lightBlockFixture() } } });
}

/** Answers each query of the proof-of-stake contract. */
export function posAnswering(answers: Readonly<Record<string, string>>): Explore {
  return ({ term }) => {
    const query = /@PoS!\("(\w+)"/.exec(term)![1]!;
    expect(term).toBe(posQueryTerm(query as Parameters<typeof posQueryTerm>[0], "rnode"));
    const postBlockData = [parMessage(compile(answers[query] ?? "Nil"))];
    return { message: { case: "result", value: { postBlockData, block: lightBlockFixture() } } };
  };
}

export const blockList: Deploys = {
  async *getBlocks({ depth }) {
    for (let index = 0; index < Math.min(depth, 3); index += 1) {
      yield { message: { case: "blockInfo", value: lightBlockFixture({ blockNumber: 17n - BigInt(index) }) } };
    }
  },
  async *getBlocksByHeights({ startBlockNumber, endBlockNumber }) {
    for (let number = startBlockNumber; number <= endBlockNumber; number += 1n) {
      yield { message: { case: "blockInfo", value: lightBlockFixture({ blockNumber: number, sender: "" }) } };
    }
  },
  getBlock: ({ hash: asked }) =>
    hash.startsWith(asked)
      ? { message: { case: "blockInfo", value: blockFixture() } }
      : refusal(`Error: Failure to find block with hash: ${asked}`),
  lastFinalizedBlock: () => ({ message: { case: "blockInfo", value: blockFixture() } }),
};
