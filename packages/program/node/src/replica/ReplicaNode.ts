import type { NodeStatusView, ReplicaView } from "@vedette/api";
import { versionText } from "@vedette/config";
import type { LmdbStore } from "@vedette/store";
import { dialectOf } from "../dialect/dialectOf.js";
import type { FollowedConsensus } from "../dialect/NodeDialect.js";
import { RecentRate } from "../observe/RecentRate.js";
import { watchNode } from "../observe/watchNode.js";
import { chainRulesOf } from "../start/chainRules.js";
import type { NodeParts } from "../start/NodeParts.js";
import { ServedChain } from "../start/ServedChain.js";
import type { FollowStream, ReplicaStream } from "./ReplicaStream.js";
import { watchReplica } from "./watchReplica.js";

const rateWindowMs = 30_000;
/** Messages that have just come are no reason to be taken out of service. */
const followingMs = 2_000;

/** A node without peers, keys and execution: it serves what others have executed, which a stream brings. */
export class ReplicaNode {
  readonly #parts: NodeParts;
  readonly #served: ServedChain;
  readonly #followed: ReplicaStream;
  readonly #taken = new RecentRate(rateWindowMs);
  readonly #consensus: FollowedConsensus;

  constructor(parts: NodeParts & { readonly store: LmdbStore }, follow: FollowStream) {
    this.#parts = parts;
    const { config, executor, store, emptyStateHash } = parts;
    const consensus = dialectOf(config).followed({ config, executor, store });
    this.#consensus = consensus;
    this.#served = new ServedChain({
      ...{ parts, rules: chainRulesOf(config, emptyStateHash), followsStream: true },
      execution: consensus.execution,
      consensus: consensus.chain,
      // Whether a block was early was judged where it was executed, by the clock of that time.
      nowMs: () => Number.MAX_SAFE_INTEGER,
      isBehind: () => this.#followed.view().pending > 0 && parts.executorCalls() > 0,
      onChainEvent: ({ type }) => {
        if (type === "blockAdded") this.#taken.add(1, performance.now());
      },
    });
    const { chain, held, events } = this.#served;
    const together = async (work: () => Promise<void>) => {
      // No other thread is waited for amid the work.
      await consensus.prepare(chain);
      await held!.together(work);
    };
    const { putBonds } = consensus;
    const hasRoom = (signal: AbortSignal) => parts.room.opened(signal);
    const names = events.names!;
    this.#followed = follow({ chain, store: held!.store, together, executor, putBonds, names, hasRoom });
  }

  /** Follows and serves until the signal. */
  async run(stop: AbortSignal): Promise<void> {
    const signal = this.#served.draining(stop);
    const { chain, events, index } = this.#served;
    await chain.blocks.discardLeftovers();
    await this.#consensus.prepare(chain);
    const status = () => this.#status();
    const isRunning = () => chain.dag.approvedBlock() !== undefined;
    const queries = this.#served.queries(status, { validator: undefined, isRunning });
    const { meters, directory, executorCalls, readers } = this.#parts;
    watchNode(meters, {
      ...{ version: versionText, executorCalls, readers, pooledDeploys: undefined },
      stores: { chain: directory.chain, state: directory.state },
      eventReaders: () => events.connections,
      peerConnections: () => ({}),
      blocks: () => ({ waiting: 0, ready: 0, unjudged: 0 }),
      status: () => status().syncStatus,
    });
    watchReplica(meters, () => this.#replica());
    await using _index = index;
    await using servers = await this.#served.serve(queries);
    const ended = new AbortController();
    const whileRunning = AbortSignal.any([signal, ended.signal]);
    const serving = this.#served.run(status, isRunning, whileRunning);
    try {
      await this.#followed.run(whileRunning);
    } finally {
      ended.abort();
      // Answers that are under way are made from what is closed now.
      await servers[Symbol.asyncDispose]();
      await serving;
      this.#consensus.close();
    }
  }

  #replica(): ReplicaView {
    const { pending: messagesPending, skipped: messagesSkipped, ...others } = this.#followed.view();
    return { ...others, messagesPending, messagesSkipped };
  }

  #status(): NodeStatusView {
    const { dag } = this.#served.chain;
    const replica = this.#replica();
    const blockNumber = dag.approvedBlock() === undefined ? undefined : dag.nextBlockNumber() - 1n;
    const phase = phaseOf(replica, blockNumber !== undefined);
    const perSecond = Math.round(this.#taken.perSecond(performance.now()) * 100) / 100;
    const done = Number(blockNumber ?? 0n);
    return this.#served.withConditions({
      ...{ address: "", version: versionText, peers: 0, nodes: 0, peerList: [] },
      syncStatus: {
        ...{ phase, blockNumber, bestPeerBlockNumber: undefined, finalizedBlockNumber: dag.lastFinalized()?.number },
        progress: { unit: "blocks", done, total: undefined, perSecond },
        blocksPerSecond: perSecond,
        secondsLeft: phase === "following" ? 0 : undefined,
        ...{ peers: 0, unvalidatedBlocks: 0, revalidatedBlocks: dag.revisedCount, lastError: replica.stopReason },
        finality: this.#served.finality.viewIn(phase, dag),
        replica,
      },
    });
  }
}

function phaseOf(
  { isConnected, lagMs, stopReason }: ReplicaView,
  hasChain: boolean,
): "connecting" | "replaying" | "following" | "stalled" {
  if (stopReason !== undefined) return "stalled";
  if (lagMs <= followingMs && hasChain) return "following";
  return isConnected ? "replaying" : "connecting";
}
