import type { Socket } from "node:net";
import { addressKey, isOwnMachine } from "../address/addressKey.js";

/** The state of a connection: idle, in a call, or ended with its socket not yet closed. */
export type ConnectionState = "idle" | "busy" | "terminating";

/** A connection that takes a place. */
export interface LimitedConnection {
  /** Client address that the connection counts for; `undefined` for a client without a limit. */
  readonly countedFor: string | undefined;
  readonly isOwnMachine: boolean;
  /** Ends the connection at once: another one needs its place. Called once. */
  evict(): void;
}

/** How many connections there may be. */
export interface ConnectionLimits {
  readonly inAll: number;
  /** Maximum for each counted client address. */
  readonly perAddress: number;
}

/** Why there is no place. */
export type LimitReached = "inAll" | "perAddress";

/** Shares of all places that are kept for addresses with few connections, and for this machine's own programs. */
const keptForOthers = 1 / 8;
const keptForOwnMachine = 1 / 32;
/** An address with a smaller share of what it may have has few. */
const fewOfPerAddress = 1 / 16;

/**
 * How many places may be taken before one has to be made free for a connection.
 *
 * @param ofAddress connections that count with it already; `undefined` where it has no limit of its own
 */
export function placesFor(
  { inAll, perAddress }: ConnectionLimits,
  isOwnMachine: boolean,
  ofAddress: number | undefined,
): number {
  const hasMany = ofAddress !== undefined && ofAddress >= Math.max(1, Math.floor(perAddress * fewOfPerAddress));
  const kept = (share: number) => Math.floor(inAll * share);
  return inAll - (hasMany ? kept(keptForOthers) : 0) - (isOwnMachine ? 0 : kept(keptForOwnMachine));
}

interface Bucket<Holder> {
  readonly isCounted: boolean;
  count: number;
  /** Those that may have to give way, the next one first. */
  readonly terminating: Set<Holder>;
  readonly idle: Set<Holder>;
  /** These have a call, and give way only where nothing else does. */
  readonly busy: Set<Holder>;
}

/**
 * Assigns the connection places of a server, so that no address can keep the others out.
 *
 * An address at its limit loses the connection that has been idle longest when it opens another; when all places are
 * taken, the address with most of them does. If all have calls, the address with most loses the one with the longest
 * call to an address that would have fewer. Some places are given only to addresses that have few connections, and some
 * only to this machine's own programs.
 *
 * @spec 50 §3.1, 10 §3.1
 */
export class ConnectionLimiter<Holder extends LimitedConnection> {
  readonly #limits: ConnectionLimits;
  readonly #states = new Map<Holder, ConnectionState>();
  readonly #idleSince = new Map<Holder, number>();
  /** By `countedFor`. */
  readonly #buckets = new Map<string | undefined, Bucket<Holder>>();
  #counter = 0;

  constructor(limits: ConnectionLimits) {
    this.#limits = limits;
  }

  /** Connections that have a place. */
  get size(): number {
    return this.#states.size;
  }

  /** How many there are of each state. */
  get counts(): Readonly<Record<ConnectionState, number>> {
    const counts = { idle: 0, busy: 0, terminating: 0 };
    for (const state of this.#states.values()) counts[state] += 1;
    return counts;
  }

  /** Gives a place to a connection, as an idle one; another may have to give way. @returns why there is none */
  take(holder: Holder): LimitReached | undefined {
    const bucket = this.#bucketOf(holder);
    const refusal = this.#makeRoom(holder, bucket);
    if (refusal !== undefined) {
      if (bucket.count === 0) this.#buckets.delete(holder.countedFor);
      return refusal;
    }
    bucket.count += 1;
    // The bucket may have become empty, and been forgotten, when room was made.
    this.#buckets.set(holder.countedFor, bucket);
    this.#put(holder, bucket, "idle");
    return undefined;
  }

  /** A connection does something else now. Without effect for one that has no place. */
  become(holder: Holder, state: ConnectionState): void {
    const [bucket, before] = [this.#buckets.get(holder.countedFor), this.#states.get(holder)];
    if (bucket === undefined || before === undefined || before === state) return;
    bucket[before].delete(holder);
    this.#put(holder, bucket, state);
  }

  /** Takes the place back. Without effect for a connection that has none. */
  leave(holder: Holder): void {
    const [bucket, state] = [this.#buckets.get(holder.countedFor), this.#states.get(holder)];
    if (bucket === undefined || state === undefined) return;
    bucket[state].delete(holder);
    this.#states.delete(holder);
    this.#idleSince.delete(holder);
    bucket.count -= 1;
    if (bucket.count === 0) this.#buckets.delete(holder.countedFor);
  }

  [Symbol.iterator](): Iterator<Holder> {
    return this.#states.keys();
  }

  #makeRoom(holder: Holder, bucket: Bucket<Holder>): LimitReached | undefined {
    if (bucket.isCounted && bucket.count >= this.#limits.perAddress)
      return this.#endOneOf(bucket) ? undefined : "perAddress";
    const ofAddress = bucket.isCounted ? bucket.count : undefined;
    if (this.#states.size < placesFor(this.#limits, holder.isOwnMachine, ofAddress)) return undefined;
    const fullest = this.#fullest(weightOf(bucket));
    return this.#endOneOf(fullest ?? bucket) || this.#endBusyOne(weightOf(bucket) + 1) ? undefined : "inAll";
  }

  /** Ends the oldest call of the address with most connections, if it has more than this number. */
  #endBusyOne(most: number): boolean {
    let fullest: Bucket<Holder> | undefined;
    for (const bucket of this.#buckets.values()) if (weightOf(bucket) > (fullest?.count ?? most)) fullest = bucket;
    const [oldest] = fullest?.busy ?? [];
    if (oldest === undefined) return false;
    this.leave(oldest);
    oldest.evict();
    return true;
  }

  /** The address with most connections, at least this many, and an idle one; of equals the one with the older. */
  #fullest(atLeast: number): Bucket<Holder> | undefined {
    let fullest: Bucket<Holder> | undefined;
    let [weight, since] = [atLeast, Number.POSITIVE_INFINITY];
    for (const bucket of this.#buckets.values()) {
      const oldest = oldestOf(bucket);
      if (oldest === undefined || weightOf(bucket) < weight) continue;
      const itsSince = this.#idleSince.get(oldest) ?? 0;
      if (weightOf(bucket) === weight && itsSince > since) continue;
      [fullest, weight, since] = [bucket, weightOf(bucket), itsSince];
    }
    return fullest;
  }

  #endOneOf(bucket: Bucket<Holder>): boolean {
    const oldest = oldestOf(bucket);
    if (oldest === undefined) return false;
    this.leave(oldest);
    oldest.evict();
    return true;
  }

  #bucketOf({ countedFor }: Holder): Bucket<Holder> {
    const known = this.#buckets.get(countedFor);
    return (
      known ?? {
        isCounted: countedFor !== undefined,
        count: 0,
        terminating: new Set(),
        idle: new Set(),
        busy: new Set(),
      }
    );
  }

  #put(holder: Holder, bucket: Bucket<Holder>, state: ConnectionState): void {
    this.#states.set(holder, state);
    bucket[state].add(holder);
    if (state !== "busy") this.#idleSince.set(holder, this.#counter++);
  }
}

function oldestOf<Holder>({ terminating, idle }: Bucket<Holder>): Holder | undefined {
  for (const holder of terminating) return holder;
  for (const holder of idle) return holder;
  return undefined;
}

/** Clients without a limit give way last. */
function weightOf<Holder>({ isCounted, count }: Bucket<Holder>): number {
  return isCounted ? count : 0;
}

/** A connection that is no session of HTTP/2. */
export class UnupgradedSocket implements LimitedConnection {
  readonly isOwnMachine: boolean;
  readonly countedFor: string | undefined;
  readonly #held: Socket;

  /** @param countsAddress whether its address has a limit of its own */
  constructor(socket: Socket, countsAddress: boolean) {
    const { remoteAddress: address = "" } = socket;
    this.#held = socket;
    this.isOwnMachine = isOwnMachine(address);
    this.countedFor = countsAddress ? addressKey(address) : undefined;
  }

  evict(): void {
    this.#held.destroy();
  }
}
