import { Code, ConnectError, createContextKey } from "@connectrpc/connect";

/** Default limit for all large answers that clients have not taken, in bytes. */
const usualMostBytes = 48 << 20;
/** Default limit for the untaken answers of one client, in bytes. */
const usualMostBytesOfClient = 8 << 20;
/** Shorter answers are made at once. */
const shortBytes = 256 << 10;
/** A client that takes nothing for this time is cut off if an answer waits for its room. */
const patienceMs = 15_000;
const lookMs = 500;

/** A call with an answer that may be large. */
export interface RoomTaker {
  /** Address or network of the client; its connection if it has no address. */
  readonly client: string | object;
  /** Whether the call has ended, so that its answer is no longer needed. */
  isOver(): boolean;
  /** Ends it at once. */
  cutOff(): void;
}

/** Options of {@link AnswerRooms}. */
export interface AnswerRoomsOptions {
  /** Monotonic. */
  readonly nowMs: () => number;
  readonly maxBytes?: number;
  readonly maxBytesOfClient?: number;
}

interface Waiting {
  readonly taker: RoomTaker;
  readonly bytes: number;
  readonly begin: () => void;
  readonly giveUp: () => void;
}

/**
 * Lets a server make large answers only as fast as their clients take them, since each costs time and memory. An answer
 * waits while its client, or all clients together, have too many untaken bytes. Clients take turns, and one answer is
 * made in a turn of the event loop. An answer above the limit is made when it is the only one.
 *
 * `UnsentAnswers` limits the memory of answers. Without this class, a client that was cut off could have its answer
 * made again and again.
 *
 * @cost constant; where an answer waits, it grows with the clients that wait
 * @spec 50 §3.1
 */
export class AnswerRooms {
  readonly #nowMs: () => number;
  readonly #maxBytes: number;
  readonly #maxBytesOfClient: number;
  /** Calls with an untaken answer; the one that has taken nothing for longest comes first. */
  readonly #held = new Map<RoomTaker, { readonly bytes: number; tookMs: number }>();
  readonly #ofClients = new Map<string | object, number>();
  /** In the order of their turns. */
  readonly #waiting = new Map<string | object, Waiting[]>();
  #bytes = 0;
  #isTurnTaken = false;
  #looking: NodeJS.Timeout | undefined;

  constructor(options: AnswerRoomsOptions) {
    const { nowMs, maxBytes = usualMostBytes, maxBytesOfClient = usualMostBytesOfClient } = options;
    this.#nowMs = nowMs;
    this.#maxBytes = maxBytes;
    this.#maxBytesOfClient = maxBytesOfClient;
  }

  /**
   * Waits until an answer may be made. {@link leave} must be called when the call is over.
   *
   * @param bytes of the answer, more or less
   * @throws {ConnectError} `Canceled` when the call is over before that
   */
  async take(taker: RoomTaker, bytes: number): Promise<void> {
    if (bytes <= shortBytes) return;
    await new Promise<void>((begin, reject) => {
      const giveUp = () => reject(new ConnectError("The client has gone.", Code.Canceled));
      // The call has ended: its answer would take room without being read.
      if (taker.isOver()) return giveUp();
      const waiting = this.#waiting.get(taker.client) ?? [];
      waiting.push({ taker, bytes, begin, giveUp });
      this.#waiting.set(taker.client, waiting);
      this.#next();
    });
  }

  /** A part of an answer was taken. */
  took(taker: RoomTaker): void {
    const held = this.#held.get(taker);
    if (held === undefined) return;
    held.tookMs = this.#nowMs();
    this.#held.delete(taker);
    this.#held.set(taker, held);
  }

  /** A call is over. */
  leave(taker: RoomTaker): void {
    this.#giveUp(taker);
    const held = this.#held.get(taker);
    if (held === undefined) return;
    this.#held.delete(taker);
    this.#count(taker.client, -held.bytes);
    this.#next();
  }

  #giveUp(taker: RoomTaker): void {
    const waiting = this.#waiting.get(taker.client);
    const at = waiting?.findIndex((other) => other.taker === taker) ?? -1;
    if (waiting === undefined || at < 0) return;
    const [left] = waiting.splice(at, 1);
    if (waiting.length === 0) this.#waiting.delete(taker.client);
    left!.giveUp();
  }

  /** Lets the next one begin, if there is room for it and this turn of the event loop is free. */
  #next(): void {
    this.#look();
    if (this.#isTurnTaken) return;
    for (const [client, waiting] of this.#waiting) {
      const { taker, bytes, begin } = waiting[0]!;
      // A call that waits for room is not overtaken by smaller ones, since it could then wait for ever.
      if (!this.#fits(bytes)) return;
      const own = this.#ofClients.get(client) ?? 0;
      if (own > 0 && own + bytes > this.#maxBytesOfClient) continue;
      waiting.shift();
      this.#waiting.delete(client);
      if (waiting.length > 0) this.#waiting.set(client, waiting);
      this.#count(client, bytes);
      this.#held.set(taker, { bytes, tookMs: this.#nowMs() });
      this.#isTurnTaken = true;
      setImmediate(() => {
        this.#isTurnTaken = false;
        this.#next();
      });
      begin();
      return;
    }
  }

  #count(client: string | object, bytes: number): void {
    this.#bytes += bytes;
    const own = (this.#ofClients.get(client) ?? 0) + bytes;
    if (own === 0) this.#ofClients.delete(client);
    else this.#ofClients.set(client, own);
  }

  /** Periodically cuts off one client that takes nothing, while an answer waits for its room. */
  #look(): void {
    if (this.#waiting.size === 0) {
      clearInterval(this.#looking);
      this.#looking = undefined;
      return;
    }
    this.#looking ??= setInterval(() => {
      const sinceMs = this.#nowMs() - patienceMs;
      const isFull = [...this.#waiting.values()].some(([first]) => !this.#fits(first!.bytes));
      for (const [taker, { tookMs }] of this.#held) {
        if (tookMs > sinceMs) return;
        if (!isFull && !this.#waiting.has(taker.client)) continue;
        this.leave(taker);
        taker.cutOff();
        return;
      }
    }, lookMs).unref();
  }

  #fits(bytes: number): boolean {
    return this.#bytes === 0 || this.#bytes + bytes <= this.#maxBytes;
  }
}

/** Waits until an answer of the given size may be made, see {@link AnswerRooms.take}. */
export const callRoom = createContextKey<(bytes: number) => Promise<void>>(async () => undefined, {
  description: "room for a large answer",
});
