import { existsSync, rmSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { HistoryView } from "@vedette/api";
import { type FirstBlock, isHistoryProven, noteProvenHistory } from "@vedette/chain";
import type { Line } from "@vedette/config/log";
import { errorText } from "@vedette/errors";
import type { Network, Peer } from "@vedette/network";
import type { Block } from "@vedette/protocol";
import type { HistoryVerifier, ProofOutcome } from "@vedette/sync";
import { historyLines } from "../observe/historyLines.js";
import { RecentRate } from "../observe/RecentRate.js";
import type { NodeParts } from "../start/NodeParts.js";
import { openSecondChain } from "./openSecondChain.js";

/** The parts of a node that a proof of history needs. */
export interface ProofParts {
  readonly parts: NodeParts;
  readonly network: Network;
  readonly bootstrap: Peer | undefined;
  /** The block that the chain began with, read from the store each time; `undefined` before it has. */
  readonly approved: () => Block | undefined;
  /** The first block as the DAG has it; called with every request for the status. */
  readonly first: () => FirstBlock | undefined;
  /** Whether the node has more important work. */
  readonly isBehind: () => boolean;
  readonly say: (line: Line) => void;
}

const lookMs = 200;
const rateWindowMs = 60_000;
const lineMs = 300_000;
/** Before another try where a store failed. */
const retryMs = 60_000;
/** Less than this is left to the node. */
const minFreeBytes = 2 ** 30;

/**
 * Replays, while the node has nothing better to do, what lies before the state that it began with, and reports how far
 * this is. The second chain lies in a separate folder, which is removed when all is proven.
 *
 * @spec 40 §20, 50 §8.7
 */
export class HistoryVerificationService {
  readonly #use: ProofParts;
  readonly #rate = new RecentRate(rateWindowMs);
  readonly #directory: string;
  #proof: HistoryVerifier | undefined;
  #isProven = false;
  #refutation: string | undefined;
  #failure: string | undefined;
  #isShortOfDisk = false;

  constructor(use: ProofParts) {
    this.#use = use;
    this.#directory = join(use.parts.directory.path, "proof");
  }

  /** The part that the status shows. */
  view(): { readonly verifiedFrom?: bigint; readonly history?: HistoryView } {
    const first = this.#use.first();
    if (first === undefined) return {};
    if (this.#isProven || isHistoryProven(this.#use.parts.store, first)) return { verifiedFrom: 0n };
    const verifiedFrom = first.number + 1n;
    if (!this.#isWanted) return { verifiedFrom };
    const proof = this.#proof;
    const height = proof?.height ?? -1n;
    const reason = this.#refutation ?? proof?.reason ?? this.#failure ?? (this.#isShortOfDisk ? diskText : undefined);
    const phase = this.#refutation !== undefined ? "refuted" : proof === undefined ? "waiting" : "replaying";
    const blockNumber = height < 0n ? undefined : height;
    const blocksPerSecond = Math.round(this.#rate.perSecond(performance.now()) * 100) / 100;
    return { verifiedFrom, history: { phase, blockNumber, target: first.number, blocksPerSecond, reason } };
  }

  /** Takes a packet of a peer, where it may be an answer. @returns whether it is nothing for the node's own chain */
  async handlePacket(peer: Peer, typeId: string, content: Uint8Array): Promise<boolean> {
    return (await this.#proof?.handlePacket(peer, typeId, content)) ?? false;
  }

  /** Goes on with the proof until there is one, or until the signal. @param isRunning whether the node has a chain */
  async run(isRunning: () => boolean, signal: AbortSignal): Promise<void> {
    while (!signal.aborted && !isRunning()) await pause(lookMs, signal);
    const first = this.#use.approved();
    if (signal.aborted || first === undefined) return;
    if (isHistoryProven(this.#use.parts.store, first)) {
      this.#clear();
      return;
    }
    if (!this.#isWanted) return;
    await pause(this.#use.parts.config["sync.verify-delay"], signal);
    while (!signal.aborted && this.#refutation === undefined && !this.#isProven) {
      try {
        await this.#prove(first, signal);
        if (this.#isProven) this.#clear();
        this.#failure = undefined;
      } catch (error) {
        if (signal.aborted) return;
        this.#failure = errorText(error);
        this.#use.say(historyLines.failed(this.#failure));
        await pause(retryMs, signal);
      }
    }
  }

  /** A chain for development has a different beginning, and no peers to request blocks from. */
  get #isWanted(): boolean {
    const { config, development } = this.#use.parts;
    return config["sync.verify-history"] && development === undefined;
  }

  async #prove(first: Block, signal: AbortSignal): Promise<void> {
    const { parts, network, bootstrap, say } = this.#use;
    const ended = new AbortController();
    const both = AbortSignal.any([signal, ended.signal]);
    await using second = await openSecondChain(this.#directory, parts, {
      target: first,
      ...{ peers: network, bootstrap },
      mayWork: () => parts.room.isOpen && !this.#use.isBehind() && !this.#isShortOfDisk,
      onReplayed: () => this.#rate.add(1, performance.now()),
      givenUp: (from, reason) => say(historyLines.givenUp(from, reason)),
      signal: both,
    });
    this.#proof = second.proof;
    say(historyLines.begun(first.number, second.proof.height));
    const others = [this.#watchDisk(both), this.#reportProgress(both)];
    try {
      this.#take(await second.proof.run(both), first);
    } finally {
      this.#proof = undefined;
      ended.abort();
      await Promise.all(others);
    }
  }

  #take(outcome: ProofOutcome, first: Block): void {
    const { parts, say } = this.#use;
    if (outcome.kind === "refuted") {
      this.#refutation = outcome.reason;
      say(historyLines.refuted(first.number, outcome.reason));
      return;
    }
    noteProvenHistory(parts.store, first);
    this.#isProven = true;
    say(historyLines.proven(first.number));
  }

  async #watchDisk(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const facts = await statfs(this.#directory).catch(() => undefined);
      this.#isShortOfDisk = facts !== undefined && facts.bavail * facts.bsize < minFreeBytes;
      await pause(10_000, signal);
    }
  }

  async #reportProgress(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await pause(lineMs, signal);
      const { history } = this.view();
      if (!signal.aborted && history !== undefined) this.#use.say(historyLines.progress(history));
    }
  }

  #clear(): void {
    if (existsSync(this.#directory)) rmSync(this.#directory, { recursive: true, force: true });
  }
}

const diskText = "there is too little room on the disk";

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return sleep(ms, undefined, { signal, ref: false }).catch(() => undefined);
}
