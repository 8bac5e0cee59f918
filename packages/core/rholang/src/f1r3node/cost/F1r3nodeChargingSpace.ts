import { equalBytes } from "@vedette/crypto";
import {
  type BindPattern,
  f1r3nodeTerms,
  type ListParWithRandom,
  type Par,
  type TaggedContinuation,
} from "@vedette/terms";
import type { ConsumeMatch, ProduceMatch, Space, SpaceMatch } from "@vedette/tuplespace";
import { commCost, eventCost } from "../../cost/costs.js";
import type { Phlo } from "../../cost/Phlo.js";
import type { ReceiveEvent, SendEvent } from "../../evaluate/tuple/events.js";
import { InterpreterError } from "../../InterpreterError.js";
import { f1r3nodeError } from "../f1r3nodeError.js";

/**
 * The tuple space as programs of f1r3node's networks see it: storage is paid for before each operation and
 * refunded when a COMM frees it. Where the phlo does not last, it is the space that fails.
 *
 * @spec 22 §4.6, 61 §6.5, §7
 */
export class F1r3nodeChargingSpace {
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
    this.charge(produceCost(channel, data));
    const match = this.space.produce(channel, data, persist, known);
    if (match === undefined) this.charge(eventCost(1));
    else this.chargeMatch(match, data.randomState, persist, 1);
    return match;
  }

  /** @param known the event of this very operation, where it is repeated */
  consume(
    channels: readonly Par[],
    patterns: readonly BindPattern[],
    continuation: TaggedContinuation,
    how: { readonly persist: boolean; readonly peeks: readonly number[]; readonly known: ReceiveEvent | undefined },
  ): ConsumeMatch | undefined {
    const { persist, peeks, known } = how;
    this.charge(consumeCost(channels, patterns, continuation));
    const match = this.space.consume(channels, patterns, continuation, persist, peeks, known);
    if (match === undefined) this.charge(eventCost(channels.length));
    else this.chargeMatch(match, stateOf(continuation), persist, channels.length);
    return match;
  }

  /** A persistent part is refunded only to the operation that brings it along and has just paid for it. */
  private chargeMatch(
    match: SpaceMatch,
    trigger: Uint8Array | undefined,
    isTriggerPersistent: boolean,
    triggerChannels: number,
  ): void {
    const { continuation, channels, results } = match;
    const frees = !match.persistent || isSame(stateOf(continuation), trigger);
    this.charge(frees ? -consumeCost(channels, match.patterns, continuation) : 0);
    let produces = 0;
    for (let i = 0; i < results.length; i += 1) {
      const { removed, persistent } = results[i]!;
      if (!persistent || isSame(removed.randomState, trigger)) produces += produceCost(channels[i]!, removed);
    }
    this.charge(-produces);
    if (!isTriggerPersistent) this.charge(eventCost(triggerChannels));
    this.charge(commCost(channels.length));
  }

  private charge(amount: number): void {
    try {
      this.phlo.charge(amount);
    } catch (cause) {
      if (cause instanceof InterpreterError) throw f1r3nodeError("RSpaceError", cause.message, { cause });
      throw cause;
    }
  }
}

function produceCost(channel: Par, data: ListParWithRandom): number {
  let size = f1r3nodeTerms.sizeOfPar(channel);
  const { pars } = data;
  for (let i = 0; i < pars.length; i += 1) size += f1r3nodeTerms.sizeOfPar(pars[i]!);
  return size;
}

/** The guard is not counted. */
function consumeCost(
  channels: readonly Par[],
  patterns: readonly BindPattern[],
  continuation: TaggedContinuation,
): number {
  let size = continuation.kind === "ParContinuation" ? f1r3nodeTerms.sizeOfPar(continuation.value.body) : 0;
  for (let i = 0; i < channels.length; i += 1) size += f1r3nodeTerms.sizeOfPar(channels[i]!);
  for (let i = 0; i < patterns.length; i += 1) size += f1r3nodeTerms.sizeOfBindPattern(patterns[i]!);
  return size;
}

/**
 * Returns the bytes that distinguish a continuation from others; a built-in process has one that no program's generator
 * has.
 */
function stateOf(continuation: TaggedContinuation): Uint8Array | undefined {
  return continuation.kind === "ParContinuation" ? continuation.value.randomState : undefined;
}

function isSame(one: Uint8Array | undefined, other: Uint8Array | undefined): boolean {
  return one !== undefined && other !== undefined && (one === other || equalBytes(one, other));
}
