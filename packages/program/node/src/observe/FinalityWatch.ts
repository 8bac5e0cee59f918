import { setTimeout as sleep } from "node:timers/promises";
import type { FinalityStatus, SyncStatusView } from "@vedette/api";
import { type BlockMetadata, type ChainEvent, type DagView, smallestClique } from "@vedette/chain";
import { type Line, linesOf } from "@vedette/config/log";
import { toHex } from "@vedette/crypto";
import { hashKey } from "@vedette/protocol";

const { info, warn } = linesOf("chain");

/** A validator without a block for this time is silent; finality without progress for this time is stalled. */
export const silenceMs = 60_000;

/** The interval of checks for the log. */
const lookMs = 10_000;

/** The watched parts of the chain. */
export type WatchedDag = Pick<DagView, "lastFinalized" | "latestMessage" | "find" | "nextBlockNumber">;

/** Finds validators that stopped making blocks, and finality that does not advance. @spec 50 §8.7 */
export class FinalityWatch {
  readonly #nowMs: () => number;
  readonly #threshold: number;
  readonly #startMs: number;
  /** When this node added the last block of a validator. */
  readonly #lastBlockMs = new Map<string, number>();
  #movedMs: number;
  #said = "";

  /** @param threshold `casper.fault-tolerance-threshold` */
  constructor(nowMs: () => number, threshold: number) {
    this.#nowMs = nowMs;
    this.#threshold = threshold;
    this.#startMs = nowMs();
    this.#movedMs = this.#startMs;
  }

  onChainEvent(event: ChainEvent): void {
    // Only blocks of validators with stake are added, which limits the size of this map.
    if (event.type === "blockAdded") this.#lastBlockMs.set(hashKey(event.block.sender), this.#nowMs());
    else if (event.type === "lastFinalizedChanged") this.#movedMs = this.#nowMs();
  }

  /** How validators and finality are now; `undefined` before there is a chain. */
  view(dag: WatchedDag): FinalityStatus | undefined {
    const final = dag.lastFinalized();
    if (final === undefined) return undefined;
    const { bonds, total } = final.bonds;
    const now = this.#nowMs();
    const silent = bonds.filter(({ validator }) => now - this.#silentSince(hashKey(validator)) > silenceMs);
    const silentStake = silent.reduce((sum, { stake }) => sum + stake, 0n);
    const stands = dag.nextBlockNumber() - 1n > final.number && now - this.#movedMs > silenceMs;
    // Where all are silent and no block waits to be final, no validator has a reason to propose.
    const isQuiet = silent.length === bonds.length && !stands;
    const inactiveValidators = (isQuiet ? [] : silent).map(({ validator, stake }) => ({
      publicKey: toHex(validator),
      stake,
      sinceMs: this.#shownSince(dag, hashKey(validator)),
    }));
    const facts = { final, stands, validators: bonds.length, silent: inactiveValidators };
    const speaking = { stake: total - silentStake, total, needed: smallestClique(total, Math.fround(this.#threshold)) };
    return {
      validators: bonds.length,
      inactiveValidators,
      stalledSinceMs: stands ? this.#movedMs : undefined,
      reason: sentence(facts, speaking),
    };
  }

  /** As {@link view}; `undefined` while the node is behind, since newer blocks may be missing. */
  viewIn(phase: SyncStatusView["phase"], dag: WatchedDag): FinalityStatus | undefined {
    return phase === "importingState" || phase === "replaying" ? undefined : this.view(dag);
  }

  /** Logs what changes, until the signal. */
  async report(view: () => FinalityStatus | undefined, say: (line: Line | undefined) => void, signal: AbortSignal) {
    while (!signal.aborted) {
      say(this.line(view()));
      await sleep(lookMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  /** Returns the changes since the last call, for the log. */
  line(view: FinalityStatus | undefined): Line | undefined {
    if (view === undefined) return undefined;
    const { inactiveValidators, stalledSinceMs, reason } = view;
    const state = [stalledSinceMs !== undefined, ...inactiveValidators.map(({ publicKey }) => publicKey)].join();
    if (state === this.#said) return undefined;
    const wasSaid = this.#said !== "" && this.#said !== "false";
    this.#said = state;
    if (reason !== undefined) return warn(`${reason}.`);
    return wasSaid ? info("Finality progresses, and all validators propose again.") : undefined;
  }

  #silentSince(key: string): number {
    return this.#lastBlockMs.get(key) ?? this.#startMs;
  }

  /** For a validator without a block in this run: the time in its last block. */
  #shownSince(dag: WatchedDag, key: string): number {
    const addedMs = this.#lastBlockMs.get(key);
    const hash = dag.latestMessage(key);
    const last = hash === undefined ? undefined : dag.find(hash);
    if (addedMs !== undefined || last === undefined || hashKey(last.sender) !== key) return this.#silentSince(key);
    return Math.min(this.#startMs, Number(last.timestamp));
  }
}

interface Facts {
  readonly final: BlockMetadata;
  readonly stands: boolean;
  readonly validators: number;
  readonly silent: FinalityStatus["inactiveValidators"];
}

interface Speaking {
  readonly stake: bigint;
  readonly total: bigint;
  readonly needed: bigint;
}

function sentence({ final, stands, validators, silent }: Facts, speaking: Speaking): string | undefined {
  if (!stands && silent.length === 0) return undefined;
  const since = Math.max(...silent.map(({ sinceMs }) => sinceMs));
  const silence =
    silent.length === 0 ? "" : `${silent.length} of ${validators} validators silent since ${printTime(since)}`;
  if (!stands) return silence;
  const finality = `finality stalled at #${final.number} because ${cause(silent.length === validators, speaking)}`;
  return silence === "" ? `F${finality.slice(1)}` : `${silence}, ${finality}`;
}

function cause(areAllSilent: boolean, { stake, total, needed }: Speaking): string {
  if (areAllSilent) return "no validator proposes";
  if (needed > total) return "casper.fault-tolerance-threshold is higher than any agreement can be";
  if (stake < needed) return `the others hold ${share(stake, total)} of the stake, ${share(needed, total)} needed`;
  return "the proposing validators do not agree on later blocks yet";
}

function share(part: bigint, total: bigint): string {
  return total <= 0n ? "0 %" : `${Number((part * 1_000n) / total) / 10} %`;
}

/** To the second: `2026-01-02T03:04:05Z`. */
function printTime(timeMs: number): string {
  return new Date(timeMs).toISOString().replace(/\.\d+/, "");
}
