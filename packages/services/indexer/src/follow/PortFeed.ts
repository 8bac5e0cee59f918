import type { MessagePort } from "node:worker_threads";
import type { FinalDeployStatus } from "@vedette/chain";
import { callsRegistry } from "@vedette/execution";
import { RemoteError } from "@vedette/executor/threads";
import { decodeStoredBlock, findDialect, unmarkedDialect } from "@vedette/protocol";
import { factsOfBlock, vaultsOf } from "../facts/factsOfBlock.js";
import type { BalanceFacts, IndexBlockFacts, IndexChange, JudgedFacts } from "../facts/IndexBlockFacts.js";
import type { ChainFeed, FeedBlocks, FeedChanges, FeedFacts, FeedTop } from "./ChainFeed.js";
import type { FeedMethods, RawBlock, RawChange } from "./LocalFeed.js";

/** Calls of a {@link FeedMethods} that is somewhere else. */
export type CallFeed = <K extends keyof FeedMethods>(
  method: K,
  argument: Parameters<FeedMethods[K]>[0],
) => Promise<Awaited<ReturnType<FeedMethods[K]>>>;

/** Most vaults in one request for balances after a block. */
const maxVaults = 2_000;

/** Reads what a node hands out: blocks are decoded here, beside the index. */
export class PortFeed implements ChainFeed {
  readonly #call: CallFeed;
  readonly #isSharing: boolean;
  readonly wait: (signal: AbortSignal) => Promise<void>;

  /** @param isSharing whether the node has better things to do with its readers than to answer several at once */
  constructor(call: CallFeed, wait: (signal: AbortSignal) => Promise<void>, isSharing = false) {
    this.#call = call;
    this.wait = wait;
    this.#isSharing = isSharing;
  }

  about(): Promise<FeedFacts> {
    return this.#call("about", undefined);
  }

  top(): Promise<FeedTop> {
    return this.#call("top", undefined);
  }

  async verdicts(deploys: readonly JudgedFacts[]): Promise<readonly (FinalDeployStatus | undefined)[]> {
    const verdicts = await this.#call("verdicts", deploys);
    // Over JSON what is undefined in a list is null.
    return verdicts.map((verdict) => verdict ?? undefined);
  }

  async blocks(from: bigint): Promise<FeedBlocks> {
    const { blocks, next, top } = await this.#call("blocks", from);
    const changes: IndexChange[] = [];
    for (const block of await this.#facts(blocks)) changes.push({ kind: "blockAdded", block });
    return { changes, next, top };
  }

  async changes(cursor: string): Promise<FeedChanges> {
    const answer = await this.#call("changes", cursor);
    if (answer.kind !== "changes") return answer;
    const blocks = await this.#facts(
      answer.changes.flatMap((change) => (change.kind === "blockAdded" ? [change.block] : [])),
    );
    let at = 0;
    const changeWithFacts = (change: RawChange): IndexChange => {
      if (change.kind !== "blockAdded") return change as IndexChange;
      const block = blocks[at]!;
      at += 1;
      return { kind: "blockAdded", block };
    };
    return { ...answer, changes: answer.changes.map(changeWithFacts) };
  }

  /** All at once, as readers of states answer several questions beside each other; or so that one of them does. */
  async #facts(blocks: readonly RawBlock[]): Promise<IndexBlockFacts[]> {
    if (!this.#isSharing) return Promise.all(blocks.map((block) => this.#factsOf(block)));
    const found: IndexBlockFacts[] = [];
    for (const block of blocks) found.push(await this.#factsOf(block));
    return found;
  }

  async #factsOf(raw: RawBlock): Promise<IndexBlockFacts> {
    const block = decodeStoredBlock(raw.bytes, findDialect(raw.dialect ?? unmarkedDialect)!.blockForm);
    const addresses = vaultsOf(block, raw.transfers).slice(0, maxVaults);
    const root = block.body.state.postStateHash;
    const hasFailed = block.body.deploys.some(({ failed, systemDeployError }) => failed && systemDeployError === "");
    const entersNames = block.body.deploys.some(({ failed, log }) => !failed && callsRegistry(log));
    const [dust, notes, registrations] = await Promise.all([
      addresses.length === 0 ? [] : this.#call("balances", { root, addresses }),
      hasFailed ? this.#call("notes", raw.bytes) : undefined,
      entersNames ? this.#call("registrations", raw.bytes) : undefined,
    ]);
    const balances = dust?.map((amount, index): BalanceFacts => ({ address: addresses[index]!, dust: amount }));
    const { fate, rejections, transfers, faultTolerance, finalizedAt } = raw;
    const noted = { transfers, notes, registrations, balances };
    const lacksEffects = transfers === undefined || balances === undefined;
    return { ...factsOfBlock(block, { ...noted, fate, rejections, faultTolerance, finalizedAt }), lacksEffects };
  }
}

interface Reply {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: { readonly name: string; readonly message: string };
}

/** Calls what answers at the other end of a port (`answerCalls`). */
export class PortCalls {
  readonly #port: MessagePort;
  readonly #waiting = new Map<number, { resolve: (result: unknown) => void; reject: (error: Error) => void }>();
  #nextId = 0;

  constructor(port: MessagePort) {
    this.#port = port;
    port.on("message", (reply: Reply) => {
      const waiting = this.#waiting.get(reply.id);
      this.#waiting.delete(reply.id);
      if (reply.error === undefined) waiting?.resolve(reply.result);
      else waiting?.reject(new RemoteError(reply.error.name, reply.error.message));
    });
  }

  /** @throws {RemoteError} what was thrown there */
  call(method: string, argument: unknown): Promise<unknown> {
    const id = this.#nextId;
    this.#nextId += 1;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#port.postMessage({ id, method, argument });
    });
  }
}
