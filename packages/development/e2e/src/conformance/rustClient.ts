import { DeployService, ProposeService } from "@vedette/api/grpc";
import { buildDeploy, deployKeyOf } from "@vedette/client";
import { fromHex } from "@vedette/crypto";
import type { PortPlan, TestWallet } from "@vedette/devtools/devnet";
import { until } from "@vedette/testing";
import { callGrpc, callHttp, libraries } from "./clientCalls.js";

/** `language = "rholang"`, field 12 of a deploy, which no signature covers. */
const languageField = Buffer.concat([Buffer.from([(12 << 3) | 2, 7]), Buffer.from("rholang")]);
const pollMs = 200;
let lastTimestamp = 0;

/** The parts of an exploratory deploy's answer that the client reads: the first expression, and the block. */
export interface Explored {
  readonly kind: string | undefined;
  readonly value: unknown;
  readonly blockHash: string;
  readonly blockNumber: bigint;
}

/** A deploy, signed as the client signs it. */
export function signedDeploy(from: TestWallet, term: string, latestBlockNumber: bigint) {
  lastTimestamp = Math.max(Date.now(), lastTimestamp + 1);
  return buildDeploy(
    { term, timestamp: BigInt(lastTimestamp), validAfterBlockNumber: latestBlockNumber, phloLimit: 1_000_000n },
    deployKeyOf(fromHex(from.privateKey)),
  );
}

/**
 * The calls of the Rust command-line client, with its readings of the answers. It talks to the internal gRPC port.
 *
 * @spec 50 §8.1
 */
export class RustClient {
  readonly #ports: PortPlan;

  constructor(ports: PortPlan) {
    this.#ports = ports;
  }

  /** `deploy`. @returns the deploy's id */
  async deploy(from: TestWallet, term: string): Promise<string> {
    const [tip] = await this.showMainChain(1);
    const deploy = signedDeploy(from, term, tip?.blockNumber ?? 0n);
    const { algorithm: sigAlgorithm, signature: sig, deployer, ...data } = deploy;
    const { timestamp, phloPrice, phloLimit, validAfterBlockNumber, shardId } = data;
    const fields = {
      deployer,
      term,
      timestamp,
      sig,
      sigAlgorithm,
      phloPrice,
      phloLimit,
      validAfterBlockNumber,
      shardId,
    };
    const [answer] = await callGrpc(this.#ports.grpcInternal, DeployService.method.doDeploy, fields, languageField);
    const { message } = answer!;
    if (message.case !== "result") throw new Error(messagesOf(message));
    const [, id] = /^Success!\s(?:DeployId is: )(.*)$/s.exec(message.value) ?? [];
    if (id === undefined) throw new Error(`not understood: ${message.value}`);
    return id.trim();
  }

  /** `propose`. @returns the block's hash; the text of a refusal */
  async propose(): Promise<{ readonly hash: string } | { readonly refusal: string }> {
    const [answer] = await callGrpc(this.#ports.grpcInternal, ProposeService.method.propose, { isAsync: false });
    const { message } = answer!;
    if (message.case !== "result") return { refusal: messagesOf(message) };
    const { value } = message;
    const [prefix, suffix] = ["Success! Block ", " created and added."];
    if (!value.startsWith(prefix) || !value.endsWith(suffix)) throw new Error(`not understood: ${value}`);
    return { hash: value.slice(prefix.length, -suffix.length) };
  }

  /**
   * Waits like `full-deploy`, `deploy-and-wait`, `transfer` and `bond-validator` after a deploy. @returns the block's
   * hash
   */
  async waitForBlock(id: string): Promise<string> {
    const look = async () => {
      const found = await this.statusOf(id);
      if (found.kind === "failed") throw new Error(found.text);
      return found.kind === "included" && found.blockHash;
    };
    return until(`deploy ${id} to be in a block`, look, { everyMs: pollMs });
  }

  /** One look of that polling. */
  async statusOf(id: string) {
    const { status, text } = await this.get(`/api/deploy/${id}`);
    if (status === 200) return { kind: "included", blockHash: String(JSON.parse(text).blockHash) } as const;
    if (status === 404) return { kind: "notFound" } as const;
    if (text.includes("Couldn't find block containing deploy with id:")) return { kind: "pending" } as const;
    return { kind: "failed", text } as const;
  }

  /** `is-finalized`, with its retries. */
  async waitUntilFinalized(hash: string): Promise<void> {
    const look = async () => {
      const [answer] = await callGrpc(this.#ports.grpcInternal, DeployService.method.isFinalized, { hash });
      return answer!.message.case === "isFinalized" && answer!.message.value;
    };
    await until(`block ${hash} to be final`, look, { everyMs: pollMs });
  }

  /** `exploratory-deploy`, `wallet-balance` and others. */
  async explore(term: string, blockHash = ""): Promise<Explored> {
    const query = { term, blockHash, usePreStateHash: false };
    const [answer] = await callGrpc(this.#ports.grpcInternal, DeployService.method.exploratoryDeploy, query);
    const { message } = answer!;
    if (message.case !== "result") throw new Error(messagesOf(message));
    const { postBlockData, block } = message.value;
    const expr = postBlockData[0]?.exprs[0]?.exprInstance;
    return { value: expr?.value, kind: expr?.case, blockHash: block!.blockHash, blockNumber: block!.blockNumber };
  }

  /**
   * `bonds`, `active-validators` and others: a term in JSON, with an answer of which only the block's bonds are read.
   */
  async bonds(term: string): Promise<readonly { readonly validator: string; readonly stake: number }[]> {
    const headers = { ...libraries.reqwest, "content-type": "application/json" };
    const body = JSON.stringify({ term });
    const call = { port: this.#ports.http, method: "POST", path: "/api/explore-deploy", headers, body } as const;
    const { status, text } = await callHttp(call);
    if (status !== 200) throw new Error(text);
    return JSON.parse(text).block.bonds;
  }

  /** `show-main-chain`. */
  showMainChain(depth: number) {
    return this.#stream(DeployService.method.showMainChain, { depth });
  }

  /** `get-blocks-by-height`. */
  blocksByHeight(start: number, end: number) {
    const heights = { startBlockNumber: BigInt(start), endBlockNumber: BigInt(end) };
    return this.#stream(DeployService.method.getBlocksByHeights, heights);
  }

  /** A GET request of `blocks`, `get-deploy`, `last-finalized-block`, `status` and `metrics`. */
  get(path: string) {
    return callHttp({ port: this.#ports.http, path, headers: libraries.reqwest });
  }

  async json(path: string) {
    const { status, text } = await this.get(path);
    if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
    return JSON.parse(text);
  }

  async #stream<M extends typeof DeployService.method.showMainChain | typeof DeployService.method.getBlocksByHeights>(
    method: M,
    query: Parameters<typeof callGrpc<M>>[2],
  ) {
    const answers = await callGrpc(this.#ports.grpcInternal, method, query);
    return answers.map(({ message }) => {
      if (message.case !== "blockInfo") throw new Error(messagesOf(message));
      return message.value;
    });
  }
}

function messagesOf(message: { readonly case: string | undefined; readonly value?: unknown }): string {
  const { messages = [] } = (message.value ?? {}) as { readonly messages?: readonly string[] };
  return messages.join("\n");
}
