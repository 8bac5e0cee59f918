import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { balanceTerm, ClientError, HttpClient } from "@vedette/client";
import { NodeClient } from "@vedette/client/node";
import { SeededNumbers, type TestWallet } from "@vedette/devtools/devnet";
import { errorText } from "@vedette/errors";

/** The results of reads. */
export interface ReadFigures {
  reads: number;
  /** Answered by none of the client's own tries. */
  failed: number;
  /** Tries beyond the first of a read. */
  retried: number;
  /** Answers that differ from those of the separate node. */
  readonly wrong: string[];
  /** Why reads failed, each reason with how often. */
  readonly reasons: Map<string, number>;
}

/** The fleet that is read, and the node to compare with. */
export interface ReadLoadOptions {
  readonly url: string;
  readonly grpcPort: number;
  readonly apartUrl: string;
  readonly apartGrpcPort: number;
  readonly wallets: readonly TestWallet[];
  readonly heights: () => Promise<{ readonly finalized: number }>;
  /** Height from which on all members have states. */
  readonly statesFrom: () => number;
  readonly seed: number;
  readonly readers: number;
}

/** A block that all members have, and for long enough that replicas have it, too. */
interface SettledBlock {
  readonly blockHash: string;
  readonly blockNumber: number;
}

/** A client for reads; both kinds answer with plain values. */
interface Asked {
  readonly http: HttpClient;
  readonly grpc: NodeClient;
}

interface Question {
  readonly name: string;
  ask(asked: Asked): Promise<unknown>;
}

const host = "127.0.0.1";
const pauseMs = 20;
/** A block this many below another is final where that other one is known. */
const finalBelow = 8;
/** Members may be behind for as long as a slow machine takes to start them: the client's pauses grow to 8 s. */
const retries = 30;
/** A fault tolerance changes until a block lies 100 below the top (50 §1.7); a replica may be behind by some. */
const changingHeights = 130;
const maxWrongReported = 20;

/**
 * Readers that request old blocks and states from a fleet's one name, and compare each answer with that of a separate
 * node; and the newest block, which must be in that node, too. They request only data that the fleet has reported: if a
 * member is behind that, `Vedette-Min-Block` leads them to one that is not.
 */
export class ReadLoad {
  readonly figures = { http: newFigures(), grpc: newFigures() };
  readonly #options: ReadLoadOptions;
  readonly #apart: Asked;
  readonly #right = new Map<string, Promise<unknown>>();
  /** The last finalized blocks that were reported, by hash. */
  readonly #reportedFinal = new Map<string, unknown>();
  readonly #settled: SettledBlock[] = [];
  #finalized = 0;
  /** The greatest height that the fleet has reported. */
  #reportedHeight = 0;

  constructor(options: ReadLoadOptions) {
    this.#options = options;
    this.#apart = {
      http: new HttpClient({ url: options.apartUrl, retries: 10 }),
      grpc: new NodeClient({ host, port: options.apartGrpcPort }),
    };
  }

  /** Reads until the signal, then reads from the node apart all that was reported as final. */
  async run(signal: AbortSignal): Promise<void> {
    using _apart = this.#apart.grpc;
    await this.#learn();
    const { readers, seed } = this.#options;
    const learning = (async () => {
      while (!signal.aborted) {
        await sleep(1_000, undefined, { signal }).catch(() => {});
        await this.#learn();
      }
    })();
    const reading = Array.from({ length: readers }, (_, at) => this.#read(new SeededNumbers(seed + at), signal));
    await Promise.all([learning, ...reading]);
    await this.#checkFinals();
  }

  async #learn(): Promise<void> {
    this.#finalized = (await this.#options.heights()).finalized;
    const from = (this.#settled.at(-1)?.blockNumber ?? 0) + 1;
    const to = Math.min(this.#finalized, from + 49);
    if (to < from) return;
    const blocks = await this.#apart.http.blockSpan(from, to);
    for (const { blockHash, blockNumber } of blocks)
      if (await this.#apart.http.isFinalized(blockHash))
        this.#settled.push({ blockHash, blockNumber: Number(blockNumber) });
  }

  async #read(numbers: SeededNumbers, signal: AbortSignal): Promise<void> {
    const { url, grpcPort } = this.#options;
    const asking = { tries: 0, minBlock: 0 };
    using grpc = new NodeClient({ host, port: grpcPort, retries });
    const asked = { http: new HttpClient({ url, retries, fetch: this.#askingWith(asking) }), grpc };
    while (!signal.aborted) {
      await sleep(pauseMs, undefined, { signal }).catch(() => {});
      if (signal.aborted) return;
      const isGrpc = numbers.below(5) === 0;
      const block = this.#chooseBlock(numbers, isGrpc);
      if (isGrpc && block === undefined) continue;
      const figures = isGrpc ? this.figures.grpc : this.figures.http;
      Object.assign(asking, { tries: 0, minBlock: 0 });
      figures.reads += 1;
      try {
        // The first answers show how far the fleet is.
        if (block === undefined || (!isGrpc && numbers.below(8) === 0)) await this.#readNewest(asked.http);
        else {
          asking.minBlock = block.blockNumber + finalBelow;
          const question = isGrpc ? this.#grpcQuestion(block) : this.#httpQuestion(block, numbers);
          await this.#compare(question, asked, figures);
        }
      } catch (error) {
        figures.failed += 1;
        const reason = reasonOf(error);
        figures.reasons.set(reason, (figures.reasons.get(reason) ?? 0) + 1);
      }
      figures.retried += Math.max(0, asking.tries - 1);
    }
  }

  /** Requests a member that is far enough, counts, and learns how far the fleet is. */
  #askingWith(asking: { tries: number; readonly minBlock: number }): typeof fetch {
    return async (url, options) => {
      asking.tries += 1;
      const minBlock = asking.minBlock === 0 ? {} : { "vedette-min-block": String(asking.minBlock) };
      const answer = await fetch(url, { ...options, headers: { ...options?.headers, ...minBlock } });
      const height = Number.parseInt(answer.headers.get("vedette-block") ?? "0", 10);
      this.#reportedHeight = Math.max(this.#reportedHeight, height);
      return answer;
    };
  }

  /** The gRPC client cannot request a member that is far enough: it requests data that came with the snapshot. */
  #chooseBlock(numbers: SeededNumbers, isGrpc: boolean): SettledBlock | undefined {
    const newest = isGrpc ? this.#options.statesFrom() : this.#reportedHeight - finalBelow;
    const end = this.#settled.findLastIndex(({ blockNumber }) => blockNumber <= newest);
    return end < 0 ? undefined : this.#settled[numbers.below(end + 1)];
  }

  async #compare({ name, ask }: Question, asked: Asked, figures: ReadFigures): Promise<void> {
    const answer = await ask(asked);
    let right = this.#right.get(name);
    if (right === undefined) {
      right = ask(this.#apart);
      this.#right.set(name, right);
    }
    const expected = await right;
    if (isDeepStrictEqual(answer, expected)) return;
    if (figures.wrong.length < maxWrongReported)
      figures.wrong.push(`${name}: ${show(answer)} is returned, not ${show(expected)}`);
  }

  async #readNewest(http: HttpClient): Promise<void> {
    const block = await http.lastFinalizedBlock();
    this.#reportedFinal.set(block.blockInfo.blockHash, withoutTolerance(block));
  }

  async #checkFinals(): Promise<void> {
    const { http } = this.#apart;
    for (const [hash, reported] of this.#reportedFinal) {
      const expected = withoutTolerance(await http.block(hash));
      if (!isDeepStrictEqual(reported, expected))
        this.figures.http.wrong.push(`last final block ${hash}: ${show(reported)}`);
      if (!(await http.isFinalized(hash))) this.figures.http.wrong.push(`${hash} is reported as final, and is not`);
    }
  }

  #httpQuestion({ blockHash: hash, blockNumber }: SettledBlock, numbers: SeededNumbers): Question {
    const asReported = this.#finalized - blockNumber > changingHeights ? same : withoutTolerance;
    const addresses = this.#options.wallets.map(({ address }) => address);
    const hasState = blockNumber >= this.#options.statesFrom();
    switch (numbers.below(hasState ? 6 : 4)) {
      case 0:
      case 1:
        return {
          name: `block ${hash} ${asReported.name}`,
          ask: async ({ http }) => asReported(await http.block(hash)),
        };
      case 2: {
        const from = Math.max(0, blockNumber - 4);
        const ask = async ({ http }: Asked) => asReported(await http.blockSpan(from, blockNumber));
        return { name: `blocks ${from} to ${blockNumber} ${asReported.name}`, ask };
      }
      case 3:
        return { name: `isFinalized ${hash}`, ask: ({ http }) => http.isFinalized(hash) };
      case 4:
        return { name: `balances ${hash}`, ask: ({ http }) => http.balances(addresses, hash) };
      default: {
        const ask = async ({ http }: Asked) =>
          (await http.explore(balanceTerm(addresses[0]!, "rnode"), { blockHash: hash })).values;
        return { name: `explore ${hash}`, ask };
      }
    }
  }

  #grpcQuestion({ blockHash: hash, blockNumber }: SettledBlock): Question {
    const asReported = this.#finalized - blockNumber > changingHeights ? same : withoutTolerance;
    const ask = async ({ grpc }: Asked) => asReported(await grpc.block(hash));
    return { name: `gRPC block ${hash} ${asReported.name}`, ask };
  }
}

function newFigures(): ReadFigures {
  return { reads: 0, failed: 0, retried: 0, wrong: [], reasons: new Map() };
}

function same(value: unknown): unknown {
  return value;
}

/** All of an answer but the fault tolerance of blocks. */
function withoutTolerance(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutTolerance);
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return value;
  const members = Object.entries(value).filter(([name]) => name !== "faultTolerance");
  return Object.fromEntries(members.map(([name, member]) => [name, withoutTolerance(member)]));
}

function reasonOf(error: unknown): string {
  if (!(error instanceof ClientError)) return errorText(error);
  const { failure } = error;
  return failure.code === "refused"
    ? `${failure.status ?? "gRPC"}: ${failure.messages[0]?.slice(0, 100)}`
    : error.message.slice(0, 200);
}

function show(value: unknown): string {
  return JSON.stringify(value, (_name, member) => (typeof member === "bigint" ? `${member}n` : member))?.slice(0, 400);
}
