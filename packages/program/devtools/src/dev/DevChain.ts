import type { ChainEvent } from "@vedette/chain";
import { type Log, warn } from "@vedette/config/log";
import { errorText } from "@vedette/errors";
import { runOpenedNode } from "@vedette/node";
import { type DevChainHooks, Meters, type NodeInternals, type NodeResources } from "@vedette/node/run";
import { type Block, hashKey } from "@vedette/protocol";
import type { FastifyInstance } from "fastify";
import { DevAdminServer } from "./DevAdminServer.js";
import { DevClock } from "./DevClock.js";
import { DevError } from "./DevError.js";
import type { DevFolder } from "./DevFolder.js";
import type { DevPlan } from "./planDev.js";

/** How a chain for development is run. */
export interface DevChainOptions {
  readonly plan: DevPlan;
  readonly folder: DevFolder;
  readonly ground: NodeResources;
  readonly log: Log;
  readonly onChainEvent: (event: ChainEvent) => void;
  /** Adds the routes for development to the operator's server. */
  readonly register: (server: FastifyInstance, chain: DevChain) => void;
}

/** The time limit of queries to a state, except for exploratory deploys. */
const queryTimeoutMs = 20_000;
const maxSnapshots = 100;
/** Long, since no other node waits for the blocks, and a program on a fork may read state from a distant node. */
const longestDeployMs = 20_000;

/** An event of the chain, or of its proposer. */
export type DevEvent = ChainEvent | Parameters<DevChainHooks["onProposeEvent"]>[0];

/** A node for development that runs: one process, one validator, no peers. */
export class DevChain implements AsyncDisposable {
  readonly plan: DevPlan;
  readonly clock = new DevClock();
  readonly #options: DevChainOptions;
  readonly #stop = new AbortController();
  readonly #door: DevAdminServer;
  readonly #listeners = new Set<(event: DevEvent) => void>();
  #inside: NodeInternals | undefined;
  #begun = new Signal();
  #ended: Promise<void> = Promise.resolve();
  /** Ends the node, to have something done to its chain before it begins again. */
  #pause: ((work: () => void) => void) | undefined;

  private constructor(options: DevChainOptions) {
    this.plan = options.plan;
    this.#options = options;
    this.#door = new DevAdminServer(options.plan.config, options.log, (server) => options.register(server, this));
  }

  /**
   * Starts it.
   * @returns when its APIs answer and it takes deploys
   * @throws the error that keeps the node from starting
   */
  static async start(options: DevChainOptions): Promise<DevChain> {
    const chain = new DevChain(options);
    chain.#ended = chain.#run();
    const failed = chain.#ended.then(() => Promise.reject(new DevError({ code: "ended", reason: "it was stopped" })));
    await Promise.race([chain.#begun.given, failed]);
    failed.catch(() => undefined);
    return chain;
  }

  /** Resolves when it has ended. @throws the error that has ended it */
  get ended(): Promise<void> {
    return this.#ended;
  }

  /** The running parts. @throws {DevError} `ended` while it is being set back */
  get inside(): NodeInternals {
    if (this.#inside === undefined) throw new DevError({ code: "ended", reason: "it is being set back just now" });
    return this.#inside;
  }

  /** The newest block. */
  get tip(): Block {
    const { chain } = this.inside;
    const own = chain.dag.latestMessage(hashKey(this.plan.accounts.validator.publicKey));
    return chain.blocks.find(own ?? chain.dag.lastFinalized()!.hash)!;
  }

  /** Sends every event of the chain and of its proposer to a listener, until the returned function is called. */
  listen(listener: (event: DevEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Keeps the chain as it is now. @returns the snapshot's number @throws {DevError} `tooManySnapshots` */
  async snapshot(): Promise<number> {
    const { folder } = this.#options;
    const { queue } = this.inside.proposing;
    while (queue.isBusy) await queue.latestResult();
    const known = folder.snapshots();
    if (known.length >= maxSnapshots) throw new DevError({ code: "tooManySnapshots", most: maxSnapshots });
    const id = (known.at(-1) ?? 0) + 1;
    folder.takeSnapshot(id);
    return id;
  }

  /** The snapshots that can be reverted to. */
  get snapshots(): readonly number[] {
    return this.#options.folder.snapshots();
  }

  /**
   * Sets the chain back to a snapshot; it and those before it stay, those after it go. The clock is not set back.
   *
   * @throws {DevError} `noSnapshot`
   */
  async revert(id: number): Promise<void> {
    const { folder } = this.#options;
    const known = folder.snapshots();
    if (!known.includes(id)) throw new DevError({ code: "noSnapshot", id, known });
    if (this.#pause === undefined) throw new DevError({ code: "ended", reason: "it is being set back just now" });
    this.#begun = new Signal();
    this.#pause(() => {
      folder.revertTo(id);
      for (const later of known) if (later > id) folder.removeSnapshot(later);
    });
    await Promise.race([this.#begun.given, this.#ended]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#ended.catch(() => undefined);
  }

  async #run(): Promise<void> {
    try {
      await this.#door.listen();
      await this.#runTurns(this.#part());
    } finally {
      this.#inside = undefined;
      await this.#door.close();
    }
  }

  #part(): DevChainHooks {
    const { onChainEvent } = this.#options;
    return {
      clock: this.clock,
      longestDeployMs,
      bonds: this.plan.bonds,
      serveAdmin: (server) => this.#door.open(server),
      begun: (inside) => {
        this.#inside = inside;
        this.#catchUpWithChain();
        this.#begun.give();
      },
      onChainEvent: (event) => this.#notify(event, [onChainEvent, ...this.#listeners]),
      onProposeEvent: (event) => this.#notify(event, this.#listeners),
    };
  }

  async #runTurns(development: DevChainHooks): Promise<void> {
    const { ground } = this.#options;
    const { signal } = this.#stop;
    while (!signal.aborted) {
      const turn = new AbortController();
      let between: () => void = () => {};
      this.#pause = (work) => {
        this.#pause = undefined;
        between = work;
        turn.abort();
      };
      try {
        // A registry of numbers takes each once, and so is of one run.
        const setup = { ...ground, queryTimeoutMs, development, meters: new Meters() };
        await runOpenedNode(setup, AbortSignal.any([signal, turn.signal]));
      } finally {
        this.#inside = undefined;
        this.#pause = undefined;
      }
      between();
    }
  }

  /** The clock of an earlier run may have been set forward. */
  #catchUpWithChain(): void {
    const aheadMs = Number(this.tip.header.timestamp) - this.clock.nowMs();
    if (aheadMs > 0) this.clock.move(aheadMs);
  }

  #notify<Event>(event: Event, listeners: Iterable<(event: Event) => void>): void {
    for (const listener of [...listeners]) {
      try {
        listener(event);
      } catch (error) {
        this.#options.log(warn(`A listener of the chain has failed: ${errorText(error)}`));
      }
    }
  }
}

/** Something that happens once, and can be waited for. */
class Signal {
  give: () => void = () => {};
  readonly given = new Promise<void>((resolve) => {
    this.give = resolve;
  });
}
