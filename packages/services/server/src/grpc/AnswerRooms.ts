import { Code, ConnectError, createContextKey } from "@connectrpc/connect";

/** Of all large answers of a server that their clients have not taken. */
const usualMostBytes = 48 << 20;
/** Of those of one client. */
const usualMostBytesOfClient = 8 << 20;
/** Shorter answers are made at once. */
const shortBytes = 256 << 10;
/** Who takes nothing for so long is cut off where somebody waits. */
const patienceMs = 15_000;
const lookMs = 500;

/** A call whose answer may be large. */
export interface RoomTaker {
  /** Its address or network; where it has none, what its answer is sent over. */
  readonly client: string | object;
  /** Whether nobody waits for it any more. */
  readonly isOver: boolean;
  /** Ends it at once. */
  cutOff(): void;
}

/** What a server's rooms are made of. */
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
 * Lets a server make large answers only as fast as their clients take them. To make one costs time and memory, so it has
 * to wait while its client, or all together, have too many that nobody has taken; clients have turns, and one
 * answer is made in a turn of the event loop. An answer longer than all that is allowed is made when it is the only one.
 *
 * `UnsentAnswers` bounds what lies in memory; alone it would let a client that was cut off have its answer made again
 * and again.
 *
 * @cost constant; where an answer waits, it grows with the clients that wait
 * @spec 50 §3.1
 */
export class AnswerRooms {
  readonly #nowMs: () => number;
  readonly #maxBytes: number;
  readonly #maxBytesOfClient: number;
  /** Those first who have taken nothing for longest. */
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
      // It would hold its room for nobody.
      if (taker.isOver) return giveUp();
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
      // Nobody overtakes one that waits for the room of all: it would never have its turn.
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

  /** Cuts off one of those who take nothing from time to time, as long as somebody waits for its room. */
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

/** Waits until an answer of so many bytes may be made, see {@link AnswerRooms.take}. */
export const callRoom = createContextKey<(bytes: number) => Promise<void>>(async () => undefined, {
  description: "room for a large answer",
});
