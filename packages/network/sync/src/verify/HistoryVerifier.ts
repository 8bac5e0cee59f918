import { errorText } from "@vedette/errors";
import type { Peer } from "@vedette/network";
import { type Block, decodePacket, encodePacket, hashKey, shortBlock, WireError } from "@vedette/protocol";
import { Engine } from "../engine/Engine.js";
import type { SyncOptions, SyncTimes } from "../engine/SyncOptions.js";
import type { PeerRequestPort, PeersPort } from "../ports/PeersPort.js";
import type { EmitSyncEvent, SyncEvent } from "../SyncEvent.js";
import { systemTimers, type Timers, waitFor } from "../Timers.js";
import type { Segments } from "./Segments.js";

/** Times of a proof; all have defaults. */
export interface ProofTimes {
  /** Between two looks at how far it is. */
  readonly lookMs: number;
  /** After this time without progress, the target block is requested by its hash. */
  readonly standstillMs: number;
  /** A peer that has sent no block to begin with for this time is left for another. */
  readonly beginMs: number;
  /** Before another attempt. */
  readonly retryMs: number;
}

const defaultTimes: ProofTimes = { lookMs: 500, standstillMs: 10_000, beginMs: 120_000, retryMs: 30_000 };

/** The parts of a proof's second chain. */
export type ProofChain = Pick<
  SyncOptions,
  | "approved"
  | "blocks"
  | "dag"
  | "dialect"
  | "join"
  | "nowMs"
  | "validation"
  | "decodePeerBlock"
  | "shardName"
  | "stateImport"
  | "store"
>;

/** The parts that a proof of history works with. @spec 40 §20 */
export interface ProofOptions {
  /** The block that the node's own chain began with, on its bootstrap's word. */
  readonly target: Block;
  readonly chain: ProofChain;
  /** Returns the second chain's verdict on a block. */
  readonly verdictOf: (hash: Uint8Array) => "valid" | "invalid" | undefined;
  readonly peers: PeersPort;
  readonly questions: PeerRequestPort | undefined;
  /** The first peer that gets requests. */
  readonly bootstrap: Peer | undefined;
  /** Parts that are replayed side by side. */
  readonly segments?: Pick<Segments, "handlePacket" | "run"> | undefined;
  /** Whether it has to wait for more important work: then nothing is late. */
  readonly isHeldUp?: () => boolean;
  /** Receives the events of the second chain. */
  readonly emit?: EmitSyncEvent;
  readonly timers?: Timers;
  readonly times?: Partial<ProofTimes>;
  readonly syncTimes?: Partial<SyncTimes>;
}

/** The result of a proof: the history of a block is right, or it is not. */
export type ProofOutcome = { readonly kind: "proven" } | { readonly kind: "refuted"; readonly reason: string };

/** The reasons for refusing a block. */
interface Refusal {
  readonly text: string;
  readonly isFinal: boolean;
}

const maxRefused = 256;
/** Blocks below the one to be reached, where it is looked for what is wrong. */
const maxExamined = 100_000;
/** Events that bring a proof on; a block found wrong does not. */
const steps: ReadonlySet<SyncEvent["type"]> = new Set([
  "approvedBlockReceived",
  "joinBlockReceived",
  "enteredRunning",
  "blockValidated",
]);
/** Packets that answer the requests of a proof. */
const answers: ReadonlySet<string> = new Set(["ApprovedBlock", "NoApprovedBlockAvailable", "BlockMessage"]);

/**
 * Proves that the state which a node began with is what the blocks since genesis lead to: replays them as a second
 * chain, beside the one that the node follows, until the block with that state is judged.
 *
 * The second chain is a whole one, with every check of every block; it shares nothing with the first but the peers, so
 * that it reaches neither indexes nor events. It goes on where it was after whatever end of the process.
 *
 * @spec 40 §20
 */
export class HistoryVerifier {
  readonly #use: ProofOptions;
  readonly #times: ProofTimes;
  #engine: Engine | undefined;
  /** Why the last attempt came to nothing. */
  #reason: string | undefined;
  /** Counts what brings the proof on. */
  #steps = 0;
  #seenSteps = 0;
  /** Blocks that were refused since one was found valid, by hash, with the reasons. */
  readonly #refused = new Map<string, Refusal>();

  constructor(use: ProofOptions) {
    this.#use = use;
    this.#times = { ...defaultTimes, ...use.times };
  }

  /** The height that is replayed; below zero before genesis is. */
  get height(): bigint {
    return this.#use.chain.dag.height();
  }

  /** Why it does not go on; `undefined` while it does. */
  get reason(): string | undefined {
    return this.#reason;
  }

  /**
   * Takes a packet of a peer, where it may be an answer.
   *
   * @returns whether the packet is nothing for the chain that the node follows
   */
  async handlePacket(peer: Peer, typeId: string, content: Uint8Array): Promise<boolean> {
    // Also when nothing is judged any more: a wait for a state goes on until it is there.
    if (typeId === "StoreItemsMessage") this.#use.segments?.handlePacket(peer, content);
    const engine = this.#engine;
    if (engine === undefined) return false;
    if (typeId === "HasBlock") return this.#takeOffer(engine, peer, content);
    if (answers.has(typeId)) await engine.handlePacket(peer, typeId, content);
    return false;
  }

  /** Replays until the signal, or until the block is judged. Rejects with the signal's reason, and where a store fails. */
  async run(signal: AbortSignal): Promise<ProofOutcome> {
    const ended = new AbortController();
    const both = AbortSignal.any([signal, ended.signal]);
    const segments = this.#isProven() ? undefined : this.#use.segments?.run(this.height, both);
    try {
      return await this.#judge(signal);
    } finally {
      ended.abort();
      await segments;
    }
  }

  async #judge(signal: AbortSignal): Promise<ProofOutcome> {
    const { timers = systemTimers } = this.#use;
    for (;;) {
      signal.throwIfAborted();
      if (this.#isProven()) return { kind: "proven" };
      const peer = this.#peerToAsk();
      const outcome = peer === undefined ? undefined : await this.#attempt(peer, signal);
      if (outcome !== undefined) return outcome;
      if (peer === undefined) this.#reason = "there is no peer to request it from";
      await waitFor(timers, this.#times.retryMs, signal);
    }
  }

  /** A hash that both chains look for is the first one's. */
  #takeOffer(engine: Engine, peer: Peer, content: Uint8Array): boolean {
    try {
      const { message } = decodePacket("HasBlock", content, this.#use.chain.dialect.packetForm) as {
        message: { hash: Uint8Array };
      };
      if (!engine.isLookingFor(message.hash)) return false;
      void engine.handlePacket(peer, "HasBlock", content);
      return true;
    } catch (error) {
      if (error instanceof WireError) return false;
      throw error;
    }
  }

  #peerToAsk(): Peer | undefined {
    const { peers, bootstrap } = this.#use;
    const isFirst = this.#reason === undefined;
    const connected = peers.peers.find(({ id }) => id === bootstrap?.id);
    return isFirst && connected !== undefined ? connected : (peers.randomPeers(1)[0] ?? connected);
  }

  async #attempt(peer: Peer, signal: AbortSignal): Promise<ProofOutcome | undefined> {
    const ended = new AbortController();
    const both = AbortSignal.any([signal, ended.signal]);
    const engine = this.#engineWith(peer);
    this.#engine = engine;
    this.#reason = undefined;
    const running = engine.run(both).then(
      () => undefined,
      (error: unknown) => void (this.#reason = errorText(error)),
    );
    try {
      return await Promise.race([running, this.#watch(engine, both)]);
    } finally {
      this.#engine = undefined;
      ended.abort();
      await running;
    }
  }

  #engineWith(bootstrap: Peer): Engine {
    const { chain, peers, questions, timers, syncTimes, emit } = this.#use;
    return new Engine({
      ...chain,
      ...{ bootstrap, beginning: "replayAllOrNothing", timers: timers ?? systemTimers, times: syncTimes ?? {} },
      modes: { genesisValidator: false, ceremonyMaster: false },
      peers: quiet(peers),
      questions: questions && asksOnly(questions),
      stateExport: undefined,
      emit: (event) => {
        this.#note(event);
        emit?.(event);
      },
    });
  }

  #note(event: SyncEvent): void {
    if (event.type === "blockValidated" && event.status !== "Valid") {
      const { block, status } = event;
      if (this.#refused.size < maxRefused)
        this.#refused.set(hashKey(block.hash), {
          text: `block ${shortBlock(block)} is refused as ${status}`,
          // The clock goes on by itself, and may be wrong.
          isFinal: status !== "InvalidTimestamp",
        });
      return;
    }
    if (!steps.has(event.type)) return;
    this.#steps += 1;
    this.#refused.clear();
    this.#reason = undefined;
  }

  /** Looks how far it is, and that it goes on. @returns `undefined` where another attempt is needed */
  async #watch(engine: Engine, signal: AbortSignal): Promise<ProofOutcome | undefined> {
    const { timers = systemTimers } = this.#use;
    const { lookMs, standstillMs, beginMs } = this.#times;
    this.#seenSteps = this.#steps;
    let stoodMs = 0;
    for (;;) {
      await waitFor(timers, lookMs, signal);
      if (signal.aborted) return undefined;
      if (this.#isProven()) return { kind: "proven" };
      stoodMs = this.#goesOn() ? 0 : stoodMs + lookMs;
      const isRunning = engine.status().state === "running";
      if (stoodMs < (isRunning ? standstillMs : beginMs)) continue;
      const refuted = this.#explainStandstill(isRunning);
      if (refuted !== undefined || !isRunning) return refuted;
      this.#lookForTarget(engine);
      stoodMs = 0;
    }
  }

  /** Whether anything was done since the last look, or more important work comes first. */
  #goesOn(): boolean {
    const isFurther = this.#steps !== this.#seenSteps;
    this.#seenSteps = this.#steps;
    return isFurther || this.#use.isHeldUp?.() === true;
  }

  /** A verdict may be taken back as long as there is anything that comes; now one that is final ends the proof. */
  #explainStandstill(isRunning: boolean): ProofOutcome | undefined {
    const wrong = this.#findWrong();
    if (wrong?.isFinal === true) return { kind: "refuted", reason: wrong.text };
    this.#reason = wrong?.text ?? `no peer gives ${isRunning ? "the next blocks" : "a block to begin with"}`;
    return undefined;
  }

  /** Requests the block, and with it all its ancestors, by its hash. */
  #lookForTarget(engine: Engine): void {
    const content = encodePacket("HasBlock", { hash: this.#use.target.hash });
    for (const peer of this.#use.peers.peers) void engine.handlePacket(peer, "HasBlock", content);
  }

  #isProven(): boolean {
    return this.#use.verdictOf(this.#use.target.hash) === "valid";
  }

  /** Finds the fault of the target block or of one of its ancestors. */
  #findWrong(): Refusal | undefined {
    const { target, verdictOf, chain } = this.#use;
    if (verdictOf(target.hash) === "invalid")
      return (
        this.#refused.get(hashKey(target.hash)) ?? {
          text: `block ${shortBlock(target)} is recorded as invalid`,
          isFinal: true,
        }
      );
    const met = new Set<string>();
    const left = [target.hash];
    for (let hash = left.pop(); hash !== undefined && met.size < maxExamined; hash = left.pop()) {
      const key = hashKey(hash);
      if (met.has(key) || verdictOf(hash) === "valid") continue;
      met.add(key);
      const refusal = this.#refused.get(key);
      if (refusal !== undefined) return refusal;
      left.push(...(chain.blocks.get(hash)?.parents ?? []));
    }
    return undefined;
  }
}

/** Peers that answer requests for blocks, and to which nothing is announced. */
function quiet(peers: PeersPort): PeersPort {
  return {
    local: peers.local,
    get peers() {
      return peers.peers;
    },
    randomPeers: (count) => peers.randomPeers(count),
    send: (...message) => peers.send(...message),
    stream: () => false,
    broadcast: (typeId, ...message) =>
      typeId === "HasBlockRequest" ? peers.broadcast(typeId, ...message) : Promise.resolve(),
    firstConnection: (signal) => peers.firstConnection(signal),
  };
}

/** The chain that the node follows is what peers are answered from. */
function asksOnly(questions: PeerRequestPort): PeerRequestPort {
  return {
    understands: (...question) => questions.understands(...question),
    ask: (...question) => questions.ask(...question),
    answer: () => undefined,
  };
}
