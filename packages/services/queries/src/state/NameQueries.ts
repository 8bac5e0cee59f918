import { setImmediate as yieldNow } from "node:timers/promises";
import type { BlockMetadata, DagView } from "@vedette/chain";
import { compareBytes, equalBytes, toHex } from "@vedette/crypto";
import type { RenderedTerms, TermOutputFormat, WaitingReceive } from "@vedette/executor";
import type { Block, Event } from "@vedette/protocol";
import { encodePar, type Par, type TermCodec as TermBytes } from "@vedette/terms";
import { ApiError } from "../ApiError.js";
import type { BlockQueries } from "../block/BlockQueries.js";
import { mainChain, tipOf } from "../block/mainChain.js";
import { FairQueue } from "../explore/FairQueue.js";
import { mapToApiError } from "../mapToApiError.js";
import type { StateReads } from "./StateReads.js";

/** The data that a block left on a name. */
export interface DataOfBlock {
  readonly block: BlockMetadata;
  readonly data: RenderedTerms;
}

/** The receives that wait on names after a block. */
export interface ReceivesOfBlock {
  readonly block: BlockMetadata;
  readonly receives: readonly WaitingReceive[];
}

/** The client of a query. */
export interface NameAsker {
  /** An address; `undefined` for clients that cannot be distinguished. */
  readonly client: string | undefined;
  /** Aborts when the client has left. */
  readonly signal: AbortSignal;
}

/** Each request reads up to the maximum of blocks for one request. */
const queue = { running: 8, ofOneClient: 32, waiting: 64, longestWaitMs: 10_000 } as const;

/** Answers about names: what lies and what waits on them after the blocks that touched them; clients have turns. @spec 50 §1.9, §3.4 */
export class NameQueries {
  readonly #dag: DagView;
  readonly #blocks: BlockQueries;
  readonly #states: StateReads;
  readonly #terms: TermBytes;
  readonly #gate = new FairQueue(queue);

  /** @param terms how names become bytes in the chain's dialect */
  constructor(dag: DagView, blocks: BlockQueries, states: StateReads, terms: TermBytes) {
    this.#dag = dag;
    this.#blocks = blocks;
    this.#states = states;
    this.#terms = terms;
  }

  /** The data on a name after each of the newest blocks that touched it, the newest first. @throws {ApiError} */
  dataAtName(name: Par, depth: number, form: TermOutputFormat, asker: NameAsker): Promise<DataOfBlock[]> {
    const most = this.#blocks.checkDepth("on getListeningName ", depth);
    const tip = this.#requireTip("listening name data");
    const sorted = this.#sorted(name);
    const channel = this.#terms.encodePar(sorted);
    return this.#inTurn(asker, async (signal) => {
      const found: DataOfBlock[] = [];
      for await (const block of this.#touching([sorted], tip, most, signal)) {
        const data = await this.#states.data({ root: block.postStateHash, channel, form }, signal);
        found.push({ block, data });
      }
      return found;
    });
  }

  /** The receives on names after each of the newest blocks that touched them, the newest first. @throws {ApiError} */
  continuationsAtNames(names: readonly Par[], depth: number, asker: NameAsker): Promise<ReceivesOfBlock[]> {
    const most = this.#blocks.checkDepth("on getListeningNameContinuation ", depth);
    const tip = this.#requireTip("listening names continuation");
    const sorted = names.map((name) => this.#sorted(name));
    const channels = sorted.map((name) => this.#terms.encodePar(name));
    return this.#inTurn(asker, async (signal) => {
      const found: ReceivesOfBlock[] = [];
      for await (const block of this.#touching(sorted, tip, most, signal)) {
        const receives = await this.#states.continuations({ root: block.postStateHash, channels }, signal);
        found.push({ block, receives });
      }
      return found;
    });
  }

  /** The data on a name after one block that touched it. @throws {ApiError} @spec 50 §1.9 */
  async dataAtBlock(name: Par, blockHash: Uint8Array, form: TermOutputFormat, asker: NameAsker): Promise<DataOfBlock> {
    this.#requireTip("data at par");
    const block = this.#dag.find(blockHash);
    if (block === undefined)
      throw new ApiError(`BlockStore is missing hash ${toHex(blockHash.subarray(0, 5))}...`, {
        kind: "exception",
        reason: "unknownBlock",
      });
    const data = await this.lookAtBlock(name, { block, root: block.postStateHash, form }, asker);
    if (data === undefined) throw new ApiError("None.get", { kind: "exception" });
    return { block, data };
  }

  /** The data on a name in the state before or after a block. @returns `undefined` where the block did not touch it */
  lookAtBlock(
    name: Par,
    {
      block,
      root,
      form,
    }: { readonly block: BlockMetadata; readonly root: Uint8Array; readonly form: TermOutputFormat },
    asker: NameAsker,
  ): Promise<RenderedTerms | undefined> {
    const sorted = this.#sorted(name);
    return this.#inTurn(asker, async (signal) => {
      if (!touches(this.#blocks.read(block).block, [this.#terms.channelHash(sorted)])) return undefined;
      return this.#states.data({ root, channel: this.#terms.encodePar(sorted), form }, signal);
    });
  }

  /** As the chain has it: clients' names come in rnode's form. */
  #sorted(name: Par): Par {
    return this.#terms.sortPar(this.#terms.decodePar(encodePar(name)));
  }

  #requireTip(what: string): BlockMetadata {
    const tip = tipOf(this.#dag);
    if (tip === undefined)
      throw new ApiError(`Error: Could not get ${what}, casper instance was not available yet.`, {
        reason: "notRunning",
      });
    return tip;
  }

  async *#touching(
    names: readonly Par[],
    tip: BlockMetadata,
    depth: number,
    signal: AbortSignal,
  ): AsyncGenerator<BlockMetadata> {
    const hashes = names.map((name) => this.#terms.channelHash(name)).sort(compareBytes);
    for (const metadata of mainChain(this.#dag, tip, depth)) {
      // Reading a block takes a while, and others wait for this thread.
      await yieldNow();
      if (signal.aborted) throw new ApiError("The query was cancelled.", { kind: "exception" });
      if (touches(this.#blocks.read(metadata).block, hashes)) yield metadata;
    }
  }

  /** @throws {Overload}; what the work throws */
  #inTurn<T>(asker: NameAsker, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    return mapToApiError(this.#gate.run(asker, () => work(asker.signal)));
  }
}

/** Whether a user deploy of the block did something on exactly these channels. @spec 50 §1.9, §3.4 */
function touches(block: Block, channels: readonly Uint8Array[]): boolean {
  return block.body.deploys.some(({ log }) => log.some((event) => isOn(event, channels)));
}

function isOn(event: Event, channels: readonly Uint8Array[]): boolean {
  const [only] = channels;
  switch (event.kind) {
    case "produce":
      // Quirk 50 §3.4: a produce makes the search for several names fail, whatever its channel.
      if (channels.length !== 1)
        throw new ApiError("assertion failed: Produce can have only one channel", { kind: "exception" });
      return equalBytes(event.channelsHash, only!);
    case "consume":
      return equalLists(event.channelsHashes, channels);
    case "comm":
      return (
        equalLists(event.consume.channelsHashes, channels) ||
        (channels.length === 1 && event.produces.some(({ channelsHash }) => equalBytes(channelsHash, only!)))
      );
  }
}

/** @param ascending the requested channels */
function equalLists(hashes: readonly Uint8Array[], ascending: readonly Uint8Array[]): boolean {
  if (hashes.length !== ascending.length) return false;
  return hashes
    .slice()
    .sort(compareBytes)
    .every((hash, index) => equalBytes(hash, ascending[index]!));
}
