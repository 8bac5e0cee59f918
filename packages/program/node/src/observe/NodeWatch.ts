import type { Chain, ChainEvent } from "@vedette/chain";
import type { NetworkEvent, Peer } from "@vedette/network";
import type { SyncEvent } from "@vedette/sync";
import { ClockDoubt } from "./ClockDoubt.js";
import type { ConditionSources } from "./conditionsOf.js";
import { PeerWatch } from "./PeerWatch.js";
import { StatusBoard } from "./StatusBoard.js";

/** The parts that a node's watch needs. */
export interface NodeWatchOptions {
  /** `undefined` for a node without a bootstrap. */
  readonly bootstrap: Peer | undefined;
  readonly dag: () => Pick<Chain["dag"], "isBonded" | "lastFinalized">;
}

/** Receives the events of a node with peers, and reports the conditions that need attention. @spec 50 §6.8, §8.7 */
export class NodeWatch {
  readonly board = new StatusBoard(() => performance.now());
  readonly #dag: NodeWatchOptions["dag"];
  readonly #peers: PeerWatch;
  readonly #clock: ClockDoubt;

  constructor({ bootstrap, dag }: NodeWatchOptions) {
    this.#dag = dag;
    this.#peers = new PeerWatch(() => performance.timeOrigin + performance.now(), bootstrap);
    this.#clock = new ClockDoubt({
      ...{ wallMs: Date.now, evenMs: () => performance.now() },
      isBonded: (key) => dag().isBonded(key),
    });
  }

  onNetworkEvent(event: NetworkEvent): void {
    this.#peers.onNetworkEvent(event);
  }

  onSyncEvent(event: SyncEvent): void {
    this.board.onSyncEvent(event);
    this.#clock.onSyncEvent(event);
  }

  onChainEvent(event: ChainEvent): void {
    this.board.onChainEvent(event);
    this.#clock.onChainEvent(event);
  }

  /** Returns the conditions that the status does not show. */
  found(): Pick<ConditionSources, "alone" | "joinFailure" | "clock" | "limit"> {
    const { expectsPeers, joinFailure, limit } = this.board;
    const bonds = this.#dag().lastFinalized()?.bonds;
    return {
      ...{ joinFailure, limit },
      alone: expectsPeers ? this.#peers.find() : undefined,
      clock: bonds && this.#clock.find(bonds),
    };
  }
}
