import type { Chain, ChainEvent, ProposeEvent } from "@vedette/chain";
import type { Bond } from "@vedette/protocol";
import type { ApiQueries } from "@vedette/queries";
import type { FastifyInstance } from "fastify";
import type { NodeProposeEvent } from "../propose/NodeProposeEvent.js";
import type { Proposing } from "../propose/Proposing.js";

/** The two clocks of a node. */
export interface NodeClock {
  /** Unix milliseconds. */
  readonly nowMs: () => number;
  /** Milliseconds of a clock that runs evenly. */
  readonly monotonicMs: () => number;
}

/** The parts inside of a running node that a chain for development works with. */
export interface NodeInternals {
  readonly chain: Chain;
  readonly proposing: Proposing;
  readonly queries: ApiQueries;
}

/**
 * Makes a node one of a chain for development: it has no peers and does not listen for any, takes deploys without
 * signatures from the program that holds these hooks, and its clock can be set. `vedette run` never has them, and no
 * setting, option or variable adds them.
 */
export interface DevChainHooks {
  readonly clock: NodeClock;
  /** Bonds that replace those of the states; left out: the states decide. */
  readonly bonds?: readonly Bond[] | undefined;
  /** Takes the operator's server, which does not listen by itself. */
  readonly serveAdmin: (server: FastifyInstance) => Promise<void>;
  readonly onChainEvent: (event: ChainEvent) => void;
  readonly onProposeEvent: (event: ProposeEvent | NodeProposeEvent) => void;
  /** Milliseconds that one deploy may take: no other node waits for the blocks. */
  readonly longestDeployMs: number;
  /** Called when the node is in the running state and makes blocks. */
  readonly begun: (inside: NodeInternals) => void;
}

/** The machine's clocks. */
export const machineClock: NodeClock = { nowMs: Date.now, monotonicMs: () => performance.now() };
