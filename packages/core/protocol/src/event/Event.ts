import { hashKey } from "./hashKey.js";

const noBytes: readonly Uint8Array[] = [];

/**
 * A produce: a datum was put on a channel. Equal to another iff the hashes are equal.
 *
 * @spec 30 §1.1, §2.3, §3.3
 */
export class ProduceEvent {
  readonly kind = "produce";
  readonly channelsHash: Uint8Array;
  readonly hash: Uint8Array;
  readonly persistent: boolean;
  readonly isDeterministic: boolean;
  readonly outputValue: readonly Uint8Array[];
  readonly failed: boolean;
  /**
   * The number of repetitions in the wire form of the event itself. Our own are 0; a foreign block may hold anything,
   * and it counts for its bytes alone. {@link CommEvent.timesRepeated} contains how often a COMM's produce was
   * repeated.
   */
  readonly wireTimesRepeated: number;
  private cachedKey: string | ProduceEvent | undefined;

  constructor(
    channelsHash: Uint8Array,
    hash: Uint8Array,
    persistent: boolean,
    isDeterministic = true,
    outputValue: readonly Uint8Array[] = noBytes,
    failed = false,
    wireTimesRepeated = 0,
  ) {
    this.channelsHash = channelsHash;
    this.hash = hash;
    this.persistent = persistent;
    this.isDeterministic = isDeterministic;
    this.outputValue = outputValue;
    this.failed = failed;
    this.wireTimesRepeated = wireTimesRepeated;
    this.cachedKey = undefined;
  }

  /** The hash as a key for maps. */
  get key(): string {
    const { cachedKey } = this;
    if (typeof cachedKey === "string") return cachedKey;
    const key = cachedKey === undefined ? hashKey(this.hash) : cachedKey.key;
    this.cachedKey = key;
    return key;
  }

  /** Takes the key over from an event with the same hash, so that it is made once. */
  shareKey(other: ProduceEvent): void {
    this.cachedKey = other;
  }
}

/**
 * A consume: a continuation was put on channels. Equal to another iff the hashes are equal.
 *
 * @spec 30 §1.1, §2.4
 */
export class ConsumeEvent {
  readonly kind = "consume";
  /** The channels' hashes, in ascending order when our own; duplicates are kept. */
  readonly channelsHashes: readonly Uint8Array[];
  readonly hash: Uint8Array;
  readonly persistent: boolean;
  private cachedKey: string | undefined;

  constructor(channelsHashes: readonly Uint8Array[], hash: Uint8Array, persistent: boolean) {
    this.channelsHashes = channelsHashes;
    this.hash = hash;
    this.persistent = persistent;
    this.cachedKey = undefined;
  }

  /** The hash as a key for maps. */
  get key(): string {
    return (this.cachedKey ??= hashKey(this.hash));
  }
}

/**
 * A COMM: a continuation met its data.
 *
 * `timesRepeated[i]` belongs to `produces[i]`; equal produces have equal entries in our own events.
 *
 * @spec 30 §1.1, §2.6, §3.2
 */
export class CommEvent {
  readonly kind = "comm";
  readonly consume: ConsumeEvent;
  readonly produces: readonly ProduceEvent[];
  readonly timesRepeated: readonly number[];
  /** Indices of the peeked channels, ascending when our own. */
  readonly peeks: readonly number[];

  constructor(
    consume: ConsumeEvent,
    produces: readonly ProduceEvent[],
    timesRepeated: readonly number[],
    peeks: readonly number[],
  ) {
    this.consume = consume;
    this.produces = produces;
    this.timesRepeated = timesRepeated;
    this.peeks = peeks;
  }
}

/** One entry of an event log. @spec 30 §3 */
export type Event = ProduceEvent | ConsumeEvent | CommEvent;
