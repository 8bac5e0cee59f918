import { equalBytes } from "@vedette/crypto";
import type { BindPattern, ListParWithRandom, Par, TaggedContinuation } from "@vedette/terms";
import type { ConsumeMatch, ProduceMatch, Space, SpaceMatch } from "@vedette/tuplespace";
import type { ReceiveEvent, SendEvent } from "../evaluate/tuple/events.js";
import { bugFoundError } from "../InterpreterError.js";
import { commCost, eventCost, storageConsumeCost, storageProduceCost } from "./costs.js";
import type { Phlo } from "./Phlo.js";

/**
 * The tuple space as programs see it: storage is paid for before each operation and refunded when a COMM frees it,
 * regardless of the payer.
 *
 * @spec 22 §4.6
 */
export class ChargingSpace {
  constructor(
    readonly space: Space,
    private readonly phlo: Phlo,
  ) {}

  /** @param known the event of this very operation, where it is repeated */
  produce(
    channel: Par,
    data: ListParWithRandom,
    persist: boolean,
    known: SendEvent | undefined,
  ): ProduceMatch | undefined {
    this.phlo.charge(storageProduceCost(channel, data));
    const match = this.space.produce(channel, data, persist, known);
    if (match === undefined) this.phlo.charge(eventCost(1));
    else this.chargeMatch(match, data.randomState, persist, 1);
    return match;
  }

  /** @param known the event of this very operation, where it is repeated */
  consume(
    channels: readonly Par[],
    patterns: readonly BindPattern[],
    continuation: TaggedContinuation,
    persist: boolean,
    peeks: readonly number[],
    known: ReceiveEvent | undefined,
  ): ConsumeMatch | undefined {
    this.phlo.charge(storageConsumeCost(channels, patterns, continuation));
    const match = this.space.consume(channels, patterns, continuation, persist, peeks, known);
    if (match === undefined) this.phlo.charge(eventCost(channels.length));
    else this.chargeMatch(match, randomStateOf(continuation), persist, channels.length);
    return match;
  }

  /**
   * Charges a COMM and refunds the storage that it frees; a persistent part is refunded only to the operation that
   * brings it along and has just paid for it.
   */
  private chargeMatch(
    match: SpaceMatch,
    trigger: Uint8Array | undefined,
    isTriggerPersistent: boolean,
    triggerChannels: number,
  ): void {
    const { phlo } = this;
    const { continuation, channels, results } = match;
    const state = randomStateOf(continuation);
    const frees = !match.persistent || isSame(state, trigger);
    phlo.charge(frees ? -storageConsumeCost(channels, match.patterns, continuation) : 0);
    let produces = 0;
    for (let i = 0; i < results.length; i += 1) {
      const { removed, persistent } = results[i]!;
      if (!persistent || isSame(removed.randomState, trigger)) produces += storageProduceCost(channels[i]!, removed);
    }
    phlo.charge(-produces);
    if (!isTriggerPersistent) phlo.charge(eventCost(triggerChannels));
    phlo.charge(commCost(channels.length));
  }
}

/**
 * Returns the bytes that distinguish a continuation from others. rnode gives a built-in process a generator state made
 * from its number; no program's generator has that state, so none at all serves as well.
 */
function randomStateOf(continuation: TaggedContinuation): Uint8Array | undefined {
  switch (continuation.kind) {
    case "ParContinuation":
      return continuation.value.randomState;
    case "SystemContinuation":
      return undefined;
    case "EmptyContinuation":
      throw bugFoundError("Damn you pROTOBUF");
  }
}

function isSame(one: Uint8Array | undefined, other: Uint8Array | undefined): boolean {
  return one !== undefined && other !== undefined && (one === other || equalBytes(one, other));
}
