import type { DagView } from "@vedette/chain";
import { toHex } from "@vedette/crypto";
import { CallPlaces } from "../explore/CallPlaces.js";

/** The head of a chain. */
export interface HeadView {
  /** The newest block: one of them, where several are equally high. */
  readonly number: bigint;
  readonly hash: Uint8Array;
  /** Height of the last finalized block. */
  readonly finalized: bigint | undefined;
}

/** How long, and how many at once, may wait for a block. */
export interface HeadLimits {
  readonly waitMs: number;
  readonly waiting: number;
}

const usualLimits: HeadLimits = { waitMs: 2_000, waiting: 1_024 };

/**
 * The chain's head from which answers come, and the requests that wait for it to advance: so that a client that
 * received a block from one member of a fleet does not read an older state from another.
 *
 * @spec 50 §1.16
 */
export class ChainHead {
  readonly #dag: Pick<DagView, "nextBlockNumber" | "blocksByHeight" | "lastFinalized" | "approvedBlock">;
  readonly #limits: HeadLimits;
  readonly #places: CallPlaces;
  readonly #waiting = new Set<() => void>();
  /** Every answer carries it, so that it is read once for each change; `undefined`: not read since the last one. */
  #kept: HeadView | "none" | undefined;
  #text: string | undefined;

  constructor(
    dag: Pick<DagView, "nextBlockNumber" | "blocksByHeight" | "lastFinalized" | "approvedBlock">,
    limits: Partial<HeadLimits> = {},
  ) {
    this.#dag = dag;
    this.#limits = { ...usualLimits, ...limits };
    this.#places = new CallPlaces({ maxCalls: this.#limits.waiting });
  }

  /** @returns `undefined` before the chain has begun */
  now(): HeadView | undefined {
    this.#kept ??= this.#read() ?? "none";
    return this.#kept === "none" ? undefined : this.#kept;
  }

  /** Returns the value of the header `Vedette-Block`; `undefined` before the chain has begun. */
  text(): string | undefined {
    if (this.#text !== undefined) return this.#text;
    const now = this.now();
    if (now !== undefined) this.#text = printHead(now);
    return this.#text;
  }

  /** Must be called when something has happened to the chain: until then the previous head is reported. */
  chainChanged(): void {
    this.#kept = undefined;
    this.#text = undefined;
    for (const look of [...this.#waiting]) look();
  }

  /**
   * Waits until the chain is so high, for as long as is allowed. Where too many wait, the client with most of them waits
   * no longer for its oldest, if another one has fewer.
   *
   * @returns whether it is; `false` at once where there is no room to wait
   */
  async reaches(number: bigint, signal: AbortSignal, client?: string): Promise<boolean> {
    if (this.#isAt(number)) return true;
    let stop!: () => void;
    const place = this.#places.take(client, () => stop());
    if (place === undefined) return false;
    await new Promise<void>((resolve) => {
      const end = () => {
        place.leave();
        clearTimeout(timer);
        signal.removeEventListener("abort", end);
        this.#waiting.delete(look);
        resolve();
      };
      const look = () => {
        if (this.#isAt(number)) end();
      };
      stop = end;
      const timer = setTimeout(end, this.#limits.waitMs);
      signal.addEventListener("abort", end);
      this.#waiting.add(look);
      if (signal.aborted) end();
    });
    return this.#isAt(number);
  }

  #isAt(number: bigint): boolean {
    return (this.now()?.number ?? -1n) >= number;
  }

  #read(): HeadView | undefined {
    if (this.#dag.approvedBlock() === undefined) return undefined;
    const number = this.#dag.nextBlockNumber() - 1n;
    for (const { hash } of this.#dag.blocksByHeight(number, number + 1n))
      return { number, hash, finalized: this.#dag.lastFinalized()?.number };
    return undefined;
  }
}

/** Returns the value of the header `Vedette-Block`, a structured field: `12;hash="ab…";finalized=11`. @spec 50 §1.16 */
export function printHead({ number, hash, finalized }: HeadView): string {
  const finalizedPart = finalized === undefined ? "" : `;finalized=${finalized}`;
  return `${number};hash="${toHex(hash)}"${finalizedPart}`;
}

/** Parses the height that a request requires. @returns `undefined` for an invalid one */
export function parseMinBlock(text: string): bigint | undefined {
  return /^[0-9]{1,15}$/.test(text) ? BigInt(text) : undefined;
}

/** Returns the text of a member that is not at this height yet. */
export function behindText(asked: bigint, head: HeadView | undefined): string {
  const here = head === undefined ? "has no chain yet" : `is at block #${head.number}`;
  return `This node ${here}, and not at #${asked}; repeat the request, or use another one.`;
}

/** Seconds after which the request may be repeated. */
export const behindRetrySeconds = 1;
