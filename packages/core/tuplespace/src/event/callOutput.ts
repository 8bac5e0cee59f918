import { ProduceEvent } from "@vedette/protocol";

/**
 * The produce that called a non-deterministic process, with what is recorded of the call.
 *
 * @param outputValue the encoded terms that the call gave; none where nothing is recorded
 * @param failed      whether the call, or what ran because of its answer, failed
 * @spec 30 §3.3, 21 §7.5
 */
export function withCallOutput(event: ProduceEvent, outputValue: readonly Uint8Array[], failed: boolean): ProduceEvent {
  return new ProduceEvent(event.channelsHash, event.hash, event.persistent, false, outputValue, failed);
}
