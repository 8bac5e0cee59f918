import { availableParallelism } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import type { NodeStatusView } from "@vedette/api";
import { type BlockExecution, Chain, type ChainEvent, type ChainRules, ChainWriteBatch } from "@vedette/chain";
import { historyWindow, versionText } from "@vedette/config";
import { info, type Line, lineOf } from "@vedette/config/log";
import type { CatchUpBatcher } from "@vedette/executor";
import { type BeginRead, explorationShareOf, ReadScheduler, readShareOf } from "@vedette/executor/threads";
import { LocalFeed, methodsOf, type NodeIndex } from "@vedette/indexer";
import { Accounts, type ApiQueries, apiQueriesOf, BlockQueries, ChainHead } from "@vedette/queries";
import { eventLimitsOf, NodeEvents, notePortOf, transferPortOf } from "@vedette/queries/events";
import { dialectOf } from "../dialect/dialectOf.js";
import type { NodeConsensus } from "../dialect/NodeDialect.js";
import { DataDirectoryError } from "../machine/dataDirectory.js";
import { accountLines } from "../observe/accountLines.js";
import { Conditions } from "../observe/Conditions.js";
import { chainLines } from "../observe/chainLines.js";
import { type ConditionSources, conditionsOf } from "../observe/conditionsOf.js";
import { FinalityWatch } from "../observe/FinalityWatch.js";
import { reportProgress } from "../observe/syncProgress.js";
import { startApiServers } from "./apiServers.js";
import { keepUp } from "./maintenance.js";
import type { NodeParts } from "./NodeParts.js";
import { nodeIndexOf } from "./nodeIndex.js";

/** How a chain is made that is served to readers. */
export interface ServedChainOptions {
  readonly parts: NodeParts;
  readonly rules: ChainRules;
  readonly execution: BlockExecution;
  /** The other rules that differ from rnode's. */
  readonly consensus: NodeConsensus["chain"];
  /** Unix milliseconds. */
  readonly nowMs: () => number;
  /** Whether reads must give way. */
  readonly isBehind: () => boolean;
  /** Whether there are many blocks to execute; left out: at no time. */
  readonly isFarBehind?: () => boolean;
  /** Whether its blocks come by a stream, many at a time where it is behind; left out: no. */
  readonly followsStream?: boolean;
  /** Receives each event of the chain, after all parts here have received it. */
  readonly onChainEvent: (event: ChainEvent) => void;
  /** Where blocks are held before they come to disk; left out: nowhere. */
  readonly held?: Pick<CatchUpBatcher, "onChainEvent" | "settled" | "read" | "whenOnDisk" | "isHolding"> | undefined;
}

/** Milliseconds between two looks at the conditions for the log. */
const lookMs = 1_000;

type QuerySources = Parameters<typeof apiQueriesOf>[0];
type QueryRole = Pick<QuerySources, "validator" | "isRunning"> & Partial<Pick<QuerySources, "mayReport">>;

/** A chain with all that readers are answered from, however its blocks come: the same on a node and on a replica. */
export class ServedChain {
  readonly chain: Chain;
  /** Where changes may be held, what holds them. */
  readonly held: ChainWriteBatch | undefined;
  readonly events: NodeEvents;
  readonly finality: FinalityWatch;
  readonly index: NodeIndex | undefined;
  readonly #conditions: Conditions;
  readonly #options: ServedChainOptions;
  readonly #blocks: BlockQueries;
  readonly #head: ChainHead;
  readonly #accounts: Accounts;
  readonly #feed: LocalFeed;
  readonly #turns: ReadScheduler;
  #isDraining = false;
  /** Counts the changes of the status, beside those of the chain. */
  #changes = 0;

  /** @throws {DataDirectoryError} `otherShard` */
  constructor(options: ServedChainOptions) {
    this.#options = options;
    const { parts, rules, execution, consensus, nowMs, held } = options;
    const { store, config, readers } = parts;
    this.#turns = new ReadScheduler(options.isBehind, readShareOf(availableParallelism()));
    // Whatever becomes of the machine's clock, time goes on.
    const timeMs = () => performance.timeOrigin + performance.now();
    this.#conditions = new Conditions(timeMs, (line) => this.say(line));
    this.finality = new FinalityWatch(timeMs, config["casper.fault-tolerance-threshold"]);
    this.events = new NodeEvents({
      store,
      maximumParents: rules.maximumParents,
      dialect: parts.dialect.protocol,
      reportsFinalTransfers: parts.validator === undefined || config["dev-mode"],
      transfers: transferPortOf(readers),
      notes: notePortOf(readers),
      followsStream: options.followsStream === true,
      limits: eventLimitsOf(config),
      turns: this.#turns,
      held,
    });
    const publish = (event: ChainEvent) => this.publish(event);
    const changes = { store, publish, lost: () => this.chain.reload() };
    this.held = options.followsStream === true ? new ChainWriteBatch(changes) : undefined;
    const writing = this.held ?? { store, emit: publish, yieldNow: undefined };
    this.chain = new Chain({
      ...{ store: writing.store, rules, execution, ...consensus, nowMs, record: this.events.record },
      emit: (event) => (held === undefined ? writing.emit(event) : held.onChainEvent(event)),
      ...(held && { settled: (blocks: number) => held.settled(blocks) }),
      ...(writing.yieldNow === undefined ? {} : { yieldNow: writing.yieldNow }),
    });
    this.events.open(this.chain);
    this.#blocks = new BlockQueries(this.chain, config["api-server.max-blocks-limit"]);
    this.#head = new ChainHead(this.chain.dag, { waitMs: config["api-server.limits.min-block-wait"] });
    this.#accounts = new Accounts({
      ...{ store, chain: this.chain, blocks: this.#blocks, readers },
      mayWrite: () => parts.room.isOpen,
      onDisk: held?.whenOnDisk,
      emit: (event) => this.say(lineOf(accountLines, event)),
    });
    this.#feed = new LocalFeed({
      ...{ log: this.events.served.log, dag: this.chain.dag, reporting: this.chain.reporting, store, readers },
      findBytes: (hash) => this.chain.blocks.findBytes(hash),
      finalStatusOf: this.chain.finalStatusOf,
      faultTolerance: (block) => this.#blocks.faultTolerance(block),
      onDisk: (work) => (held === undefined ? work() : held.whenOnDisk(work)),
    });
    this.index = nodeIndexOf(parts, this.#feed, options.isFarBehind ?? (() => false));
    this.#checkShard();
  }

  /** A data directory of another network must not be continued. */
  #checkShard(): void {
    const { config, directory } = this.#options.parts;
    const shard = this.chain.blocks.approvedBlock()?.candidate.block.shardId;
    const expected = config["casper.shard-name"];
    if (shard !== undefined && shard !== expected)
      throw new DataDirectoryError({ code: "otherShard", path: directory.path, shard, expected });
  }

  /** To be called when the chain was begun. */
  chainStarted(): void {
    this.#blocks.chainChanged();
    this.#head.chainChanged();
  }

  /** To be called when something has happened beside the chain that the status shows. */
  statusChanged(): void {
    this.#changes += 1;
  }

  queries(status: () => NodeStatusView, { validator, isRunning, mayReport = false }: QueryRole): ApiQueries {
    const { config, readers, queryTimeoutMs, readerThreads } = this.#options.parts;
    return apiQueriesOf({
      ...{
        config,
        readers,
        queryTimeoutMs,
        dag: this.chain.dag,
        reporting: this.chain.reporting,
        blocks: this.#blocks,
      },
      head: this.#head,
      accounts: this.#accounts.queries,
      explorationsAtOnce: Math.max(1, readerThreads - 1),
      rests: {
        isBehind: () => this.#turns.isBehind,
        share: explorationShareOf(availableParallelism()),
        ...{ nowMs: () => performance.now(), wait: (milliseconds) => sleep(milliseconds, undefined, { ref: false }) },
      },
      status: {
        version: versionText,
        network: {
          networkId: config["protocol-server.network-id"],
          shardId: config["casper.shard-name"],
          minPhloPrice: config["casper.min-phlo-price"],
          f1r3node: dialectOf(config).f1r3nodeFacts(config, validator !== undefined),
        },
        changes: () => this.#changes + this.#blocks.version,
        now: () => ({ ...status(), isDraining: this.#isDraining }),
      },
      ...{ validator, isRunning, mayReport },
    });
  }

  /**
   * Stops a node that is one of several behind a proxy. It reports that it is not ready, closes event connections, and
   * serves all else for a while, so that no request which the proxy still forwards is refused.
   *
   * @returns the signal that ends the node
   * @spec 50 §6.7
   */
  draining(stop: AbortSignal): AbortSignal {
    const drainMs = this.#options.parts.config["api-server.drain-timeout"];
    if (drainMs === 0) return stop;
    const ending = new AbortController();
    const drain = () => {
      this.#isDraining = true;
      this.statusChanged();
      this.say(info(`It serves for ${drainMs / 1_000} s yet, and says that it is not ready.`));
      void this.events.close();
      setTimeout(() => ending.abort(), drainMs);
    };
    if (stop.aborted) ending.abort();
    else stop.addEventListener("abort", drain, { once: true });
    return ending.signal;
  }

  readonly #beginOnDisk: BeginRead = (begin) => {
    const { held } = this.#options;
    if (held !== undefined) return held.read(begin);
    begin();
    return () => {};
  };

  /** The same for a request that takes the main thread's time. */
  readonly #beginInTurn: BeginRead = (begin) => {
    let hasEnded = false;
    let end: (() => void) | undefined;
    this.#turns.take(() => {
      end = this.#beginOnDisk(begin);
      if (hasEnded) end();
    });
    return () => {
      hasEnded = true;
      end?.();
    };
  };

  /** Opens all API servers; they are closed with what is returned. @spec 50 §1, §3.1 */
  serve(queries: ApiQueries): Promise<AsyncDisposable> {
    const { config, log, meters, development, sharedCounter } = this.#options.parts;
    return startApiServers({
      ...{ config, queries, log, meters, sharedCounter },
      events: this.events.served,
      index: this.index?.queries,
      feed: methodsOf(this.#feed),
      beginHttp: this.#beginInTurn,
      beginGrpc: this.#beginOnDisk,
      serveAdmin: development?.serveAdmin,
    });
  }

  /**
   * Keeps in order what readers are answered from, and logs how the chain is, until the signal.
   *
   * @param isRunning whether old states may be forgotten now
   */
  async run(status: () => NodeStatusView, isRunning: () => boolean, signal: AbortSignal): Promise<void> {
    const { parts } = this.#options;
    const { config } = parts;
    this.index?.start();
    const say = (line: Line | undefined) => this.say(line);
    const syncStatus = () => status().syncStatus;
    void reportProgress(syncStatus, say, signal);
    void this.finality.report(() => syncStatus().finality, say, signal);
    void this.#watchConditions(status, signal);
    const window = historyWindow(config["storage.state-retention"], config["casper.height-constraint-threshold"]);
    await Promise.all([this.#accounts.run(signal), keepUp({ ...parts, window, chain: this.chain, isRunning }, signal)]);
  }

  /**
   * Adds to a status what is wrong with the node.
   *
   * @param found the conditions beside the status
   */
  withConditions(
    status: NodeStatusView,
    found: Omit<ConditionSources, "sync" | "index" | "shortage"> = {},
  ): NodeStatusView {
    const { syncStatus: sync } = status;
    const index = this.index?.progress();
    const { shortage } = this.#options.parts.room;
    const conditions = this.#conditions.note(conditionsOf({ ...found, sync, index, shortage }));
    const lastError = conditions[0]?.reason ?? sync.lastError;
    return { ...status, syncStatus: { ...sync, lastError, conditions }, index };
  }

  /** Reads the status now and then until the signal, so that the log has the beginning and end of each condition. */
  async #watchConditions(look: () => NodeStatusView, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      look();
      await sleep(lookMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  say(line: Line | undefined): void {
    if (line !== undefined) this.#options.parts.log(line);
  }

  /** Sends an event of the chain, which is on disk, to all parts here. */
  publish(event: ChainEvent): void {
    this.#blocks.chainChanged();
    this.#head.chainChanged();
    this.#options.parts.meters.onChainEvent(event);
    this.finality.onChainEvent(event);
    this.events.onChainEvent(event);
    this.#accounts.onChainEvent(event);
    this.index?.onChange();
    this.#options.onChainEvent(event);
    this.say(lineOf(chainLines, event));
  }
}
