import type { Config } from "@vedette/config";
import { type FreeSpace, freeSpaceOf } from "@vedette/store";
import { systemTimers, type Timers, waitFor } from "@vedette/sync";

/** Without a setting the mark is the smaller of the two. */
const usualLowWaterBytes = 1_000_000_000;
const usualLowWaterShare = 0.05;
/** The share of the mark with which begun work may be finished. */
const reserveShare = 0.5;
/** Room that comes and goes by a little does not open and close the gate each time. */
const reopenShare = 1.25;
const lookMs = 1_000;
/** Beyond twice the room in which a write has failed. */
const moreBytes = 4 << 20;
/** After this time a write that found no room is tried again, even without more room. */
const retryMs = 30_000;

/** Why nothing is written. */
export interface Shortage {
  /** Unix milliseconds. */
  readonly sinceMs: number;
  readonly freeBytes: number;
  readonly lowWaterBytes: number;
  /** Whether a write found too little room, though there was more than the mark. */
  readonly isRefused: boolean;
}

/** The options of a gate. */
export interface LowDiskGateOptions {
  readonly lowWaterBytes: number;
  /** Measures the disk; `undefined` if the system does not report it. */
  readonly measure: () => Pick<FreeSpace, "freeBytes"> | undefined;
  /** Unix milliseconds, of a clock that is never set. */
  readonly nowMs: () => number;
  /** The machine's without. */
  readonly timers?: Timers;
}

/**
 * The gate that all writing of a node passes: closed while the disk has less room than the low-water mark.
 *
 * Blocks are added and made, and the index is written, only while it is open. Work that has begun may finish: half of
 * the mark is reserved for it, and no store begins a write below that half (`TransactionSpaceCheck` of `store`, for each transaction). Reads need no
 * gate.
 *
 * @spec 50 §6.8
 */
export class LowDiskGate {
  readonly lowWaterBytes: number;
  readonly #options: LowDiskGateOptions;
  /** Ends when the gate is closed; another one begins when it is opened. */
  #open = new AbortController();
  #shortage: Shortage | undefined;
  /** A write failed while there was as much as this. */
  #refused: { readonly freeBytes: number; readonly atMs: number } | undefined;

  constructor(options: LowDiskGateOptions) {
    this.#options = options;
    this.lowWaterBytes = options.lowWaterBytes;
    this.look();
  }

  /** For the stores: with less room they begin no write, in bytes. */
  get reserveBytes(): number {
    return Math.floor(this.lowWaterBytes * reserveShare);
  }

  get isOpen(): boolean {
    return this.#shortage === undefined;
  }

  /** Why nothing is written; `undefined` while the gate is open. */
  get shortage(): Shortage | undefined {
    return this.#shortage;
  }

  /** Ends with the signal, and as soon as the gate is closed. */
  whileOpen(signal: AbortSignal): AbortSignal {
    return AbortSignal.any([signal, this.#open.signal]);
  }

  /** Resolves when the gate is open, or at the signal. */
  async opened(signal: AbortSignal): Promise<void> {
    while (!this.isOpen && !signal.aborted) await this.#lookLater(signal);
  }

  /** A write found no room, at any mark. */
  refused(): void {
    const freeBytes = this.#options.measure()?.freeBytes ?? 0;
    this.#refused = { freeBytes, atMs: this.#options.nowMs() };
    this.#close(freeBytes);
  }

  /** Looks at the disk, and opens or closes the gate. */
  look(): void {
    const room = this.#options.measure();
    if (room === undefined) return;
    const { freeBytes } = room;
    if (freeBytes < this.lowWaterBytes) this.#close(freeBytes);
    else if (!this.isOpen && this.#isEnough(freeBytes)) this.#reopen();
  }

  /** Looks once a second until the signal. */
  async watch(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) await this.#lookLater(signal);
  }

  async #lookLater(signal: AbortSignal): Promise<void> {
    const { timers = systemTimers } = this.#options;
    await waitFor(timers, lookMs, signal);
    if (!signal.aborted) this.look();
  }

  #isEnough(freeBytes: number): boolean {
    if (freeBytes < this.lowWaterBytes * reopenShare) return false;
    const refused = this.#refused;
    if (refused === undefined || freeBytes >= 2 * refused.freeBytes + moreBytes) return true;
    return this.#options.nowMs() - refused.atMs >= retryMs;
  }

  #close(freeBytes: number): void {
    const { lowWaterBytes } = this;
    const sinceMs = this.#shortage?.sinceMs ?? this.#options.nowMs();
    this.#shortage = { sinceMs, freeBytes, lowWaterBytes, isRefused: freeBytes >= lowWaterBytes };
    this.#open.abort();
  }

  #reopen(): void {
    this.#shortage = undefined;
    this.#refused = undefined;
    this.#open = new AbortController();
  }
}

/** The gate of a node with this data directory. @param folders the folders that it writes into */
export function lowDiskGateOf(config: Config, path: string, folders: readonly string[]): LowDiskGate {
  const configured = config["storage.low-water-mark"];
  const total = freeSpaceOf(path)?.totalBytes ?? Number.POSITIVE_INFINITY;
  const usual = Math.min(usualLowWaterBytes, Math.floor(total * usualLowWaterShare));
  return new LowDiskGate({
    lowWaterBytes: configured === undefined ? usual : Number(configured),
    measure: () => minOf([path, ...folders].map(freeSpaceOf)),
    nowMs: () => performance.timeOrigin + performance.now(),
  });
}

/** Folders may lie on disks of their own. */
function minOf(rooms: readonly (FreeSpace | undefined)[]): FreeSpace | undefined {
  const known = rooms.filter((room) => room !== undefined);
  return known.length === 0 ? undefined : known.reduce((one, other) => (other.freeBytes < one.freeBytes ? other : one));
}

/** The shortage as a sentence, for the log and for public API responses. */
export function shortageText({ freeBytes, lowWaterBytes, isRefused }: Shortage): string {
  if (isRefused) return `the disk has ${roomText(freeBytes)} free, which is too little for what was to be written`;
  return `the disk has ${roomText(freeBytes)} free, and nothing is written below ${roomText(lowWaterBytes)} (storage.low-water-mark)`;
}

function roomText(bytes: number): string {
  return bytes < 10_000_000 ? `${(bytes / 1e6).toFixed(1)} MB` : `${Math.round(bytes / 1e6)} MB`;
}
