import type { FullBlock } from "@vedette/client";
import { madeHash, madeUser } from "./madeBlocks.js";

/** A block that a test names, by its parents' names. */
export interface NamedBlock {
  readonly name: string;
  readonly number: number;
  readonly parents: readonly string[];
  /** Programs of its deploys. */
  readonly terms?: readonly string[];
}

/** Numbers are as JSON has them. */
type Json<T> = T extends bigint
  ? number
  : T extends readonly (infer One)[]
    ? readonly Json<One>[]
    : T extends object
      ? { readonly [K in keyof T]: Json<T[K]> }
      : T;
type BlockJson = Json<FullBlock>;

/** Answers a node's public routes of a chain that a test makes. @spec 50 §1.5 */
export class FakePublicNode {
  readonly #blocks: BlockJson[] = [];
  readonly #final = new Set<string>();
  #last = "";
  /** The most heights that are returned at once. */
  limit = 50;
  /** Refuses programs, as validators do. */
  isValidator = false;
  /** Paths that were requested. */
  readonly asked: string[] = [];

  /** Hash of a block that was named. */
  static hashOf(name: string): string {
    return madeHash(`block ${name}`);
  }

  add(...blocks: readonly NamedBlock[]): void {
    this.#blocks.push(...blocks.map(blockJson));
  }

  /** A line of blocks, each upon the one before: `a3`, `a4`, … */
  grow(line: string, from: number, to: number, parentName: string): void {
    for (let number = from; number <= to; number += 1)
      this.add({ name: `${line}${number}`, number, parents: [number === from ? parentName : `${line}${number - 1}`] });
  }

  /** Makes a block final, and all that it is built on. */
  finalize(name: string): void {
    this.#last = FakePublicNode.hashOf(name);
    const waiting = [this.#last];
    for (let hash = waiting.pop(); hash !== undefined; hash = waiting.pop()) {
      if (this.#final.has(hash)) continue;
      this.#final.add(hash);
      waiting.push(...(this.#find(hash)?.blockInfo.parentsHashList ?? []));
    }
  }

  /** Replaces the platform's. */
  readonly fetch: typeof fetch = async (input) => {
    const path = new URL(String(input)).pathname;
    this.asked.push(path);
    return this.#answer(path);
  };

  #answer(path: string): Response {
    const [, , route = "", one = "", other = ""] = path.split("/");
    if (path === "/api/last-finalized-block") return json(this.#blockJson(this.#find(this.#last)!));
    if (route === "block") {
      const block = this.#find(one);
      return block === undefined
        ? refusal(`Error: Failure to find block with hash: ${one}`)
        : json(this.#blockJson(block));
    }
    if (route === "is-finalized") return json(this.#final.has(one));
    if (path === "/api/blocks") return json(this.#heights(this.#top(), this.#top()));
    if (route === "blocks" && other !== "") {
      const [from, to] = [Number(one), Number(other)];
      const asked = `startBlockNumber ${from} and endBlockNumber ${to}`;
      if (to - from > this.limit) return refusal(`Your request ${asked} exceed the max limit ${this.limit}`);
      return json(this.#heights(from, to));
    }
    if (route !== "explore-deploy") return new Response("Not found", { status: 404 });
    if (this.isValidator) return refusal("Exploratory deploy can only be executed on read-only RNode.");
    return json({ expr: [{ ExprInt: { data: 10 } }], block: this.#find(this.#last)!.blockInfo });
  }

  #top(): number {
    return Math.max(...this.#blocks.map(({ blockInfo }) => blockInfo.blockNumber));
  }

  #heights(from: number, to: number): unknown[] {
    return this.#blocks
      .filter(({ blockInfo: { blockNumber } }) => blockNumber >= from && blockNumber <= to)
      .map((block) => this.#blockJson(block).blockInfo)
      .sort((left, right) => left.blockNumber - right.blockNumber);
  }

  #find(hash: string): BlockJson | undefined {
    return this.#blocks.find(({ blockInfo }) => blockInfo.blockHash === hash);
  }

  /** Encodes a block. Deep blocks are marked as final by their fault tolerance. @spec 50 §1.7 */
  #blockJson(block: BlockJson): BlockJson {
    const isFinal = this.#final.has(block.blockInfo.blockHash);
    const isDeep = this.#top() + 1 - block.blockInfo.blockNumber > 100;
    const faultTolerance = isDeep ? (isFinal ? 1 : -1) : 0.25;
    return { ...block, blockInfo: { ...block.blockInfo, faultTolerance } };
  }
}

const json = (value: unknown) =>
  new Response(JSON.stringify(value), { headers: { "content-type": "application/json" } });
const refusal = (text: string) =>
  new Response(JSON.stringify(text), { status: 400, headers: { "content-type": "application/json" } });

function blockJson({ name, number, parents, terms = [] }: NamedBlock): BlockJson {
  const validator = madeUser("v1").key;
  const deploys = terms.map((term) => ({
    ...{ deployer: madeUser("u1").key, term, timestamp: 1_700_000_000_000, sig: `${madeHash(term)}00` },
    ...{ sigAlgorithm: "secp256k1", phloPrice: 1, phloLimit: 100_000, validAfterBlockNumber: 0 },
    ...{ cost: 250, errored: term.includes("fails"), systemDeployError: "" },
  }));
  return {
    blockInfo: {
      blockHash: FakePublicNode.hashOf(name),
      sender: number === 0 ? "" : validator,
      seqNum: number,
      sig: `${madeHash(`sig ${name}`)}01`,
      sigAlgorithm: "secp256k1",
      shardId: "root",
      extraBytes: "",
      version: 1,
      timestamp: 1_700_000_000_000 + number * 5_000,
      headerExtraBytes: "",
      parentsHashList: parents.map((parent) => FakePublicNode.hashOf(parent)),
      blockNumber: number,
      preStateHash: madeHash(`before ${name}`),
      postStateHash: madeHash(`after ${name}`),
      bodyExtraBytes: "",
      bonds: [{ validator, stake: 1_000 }],
      blockSize: "1000",
      deployCount: deploys.length,
      faultTolerance: 0,
      justifications: [],
      rejectedDeploys: [],
    },
    deploys,
  };
}
