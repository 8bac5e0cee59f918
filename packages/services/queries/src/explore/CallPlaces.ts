import { addressKey } from "@vedette/network";

/** The total limits of calls. */
export interface CallBounds {
  readonly maxCalls: number;
  /** The size of the requests that are being read or worked on; default: no limit. */
  readonly maxBytes?: number;
}

interface Client {
  readonly calls: Set<HeldCall>;
  /** The size of the requests of its calls. */
  bytes: number;
}

/**
 * The places of calls on a server, so that no client can keep the others out: when all are taken, or all bytes of
 * requests, the client that has most loses a call, where it has more than the one that comes would have.
 *
 * @cost constant; linear in the clients when a client loses a call
 * @spec 50 §3.1
 */
export class CallPlaces {
  readonly #bounds: Required<CallBounds>;
  readonly #clients = new Map<string | undefined, Client>();
  #calls = 0;
  #bytes = 0;

  constructor(bounds: CallBounds) {
    this.#bounds = { maxBytes: Number.POSITIVE_INFINITY, ...bounds };
  }

  /** Calls that are under way. */
  get calls(): number {
    return this.#calls;
  }

  /** Bytes of their requests. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Gives a call a place.
   *
   * @param address its client's: those of one network are one client, and so are all without one
   * @param cutOff ends it at once, when another call needs its place
   * @returns `undefined` where there is none
   */
  take(address: string | undefined, cutOff: () => void): HeldCall | undefined {
    const name = address === undefined ? undefined : addressKey(address);
    const { maxCalls } = this.#bounds;
    if (this.#calls >= maxCalls) {
      const own = this.#clients.get(name)?.calls.size ?? 0;
      const largest = this.#largest(own + 1, maxCalls, ({ calls }) => calls.size);
      if (largest === undefined) return undefined;
      const [oldest] = largest.calls;
      oldest!.cutOff();
    }
    const client = this.#clients.get(name) ?? { calls: new Set(), bytes: 0 };
    this.#clients.set(name, client);
    this.#calls += 1;
    const place: HeldCall = new HeldCall(
      cutOff,
      (bytes) => this.#hold(client, bytes),
      () => {
        client.calls.delete(place);
        if (client.calls.size === 0) this.#clients.delete(name);
        this.#calls -= 1;
      },
    );
    client.calls.add(place);
    return place;
  }

  /** @param bytes that the client has more, or fewer, from now on @returns whether it may have them */
  #hold(client: Client, bytes: number): boolean {
    while (this.#bytes + bytes > this.#bounds.maxBytes && bytes > 0) {
      const largest = this.#largest(client.bytes + bytes, this.#bounds.maxBytes, ({ bytes }) => bytes);
      if (largest === undefined || largest === client) return false;
      let most: HeldCall | undefined;
      for (const call of largest.calls) if (most === undefined || call.bytes > most.bytes) most = call;
      most!.cutOff();
    }
    client.bytes += bytes;
    this.#bytes += bytes;
    return true;
  }

  /** @returns the client that has most, if that is more than `own`; there is none where `own` is no less than the mean */
  #largest(own: number, all: number, sizeOf: (client: Client) => number): Client | undefined {
    if (own * this.#clients.size > all) return undefined;
    let largest: Client | undefined;
    for (const client of this.#clients.values())
      if (sizeOf(client) > (largest === undefined ? own : sizeOf(largest))) largest = client;
    return largest;
  }
}

/** The place of one call. */
export class HeldCall {
  readonly #cutOff: () => void;
  readonly #hold: (bytes: number) => boolean;
  readonly #leave: () => void;
  #bytes = 0;
  #isLeft = false;

  /** @param leave gives the place back @param hold counts bytes */
  constructor(cutOff: () => void, hold: (bytes: number) => boolean, leave: () => void) {
    this.#cutOff = cutOff;
    this.#hold = hold;
    this.#leave = leave;
  }

  /** The size of its request. */
  get bytes(): number {
    return this.#bytes;
  }

  /** More of the request has come. @returns whether there is room for it; never when the call is over */
  hold(bytes: number): boolean {
    if (this.#isLeft || !this.#hold(bytes)) return false;
    this.#bytes += bytes;
    return true;
  }

  /** Forgets the bytes of the request. */
  release(): void {
    this.#hold(-this.#bytes);
    this.#bytes = 0;
  }

  /** The call is over. May be called again. */
  leave(): void {
    if (this.#isLeft) return;
    this.release();
    this.#isLeft = true;
    this.#leave();
  }

  cutOff(): void {
    this.leave();
    this.#cutOff();
  }
}
