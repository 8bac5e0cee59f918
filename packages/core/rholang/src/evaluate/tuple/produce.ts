import type { ListParWithRandom, Par } from "@vedette/terms";
import { InterpreterError } from "../../InterpreterError.js";
import type { Reducer } from "../Reducer.js";
import type { Work } from "../Work.js";
import { continueAfter } from "./continue.js";
import type { SendEvent } from "./events.js";
import { isMergeable } from "./mergeable.js";

/**
 * A send's part in the tuple space.
 *
 * @param known the event of this very operation, where it is repeated
 * @spec 21 §3.6
 */
export function produce(
  reducer: Reducer,
  channel: Par,
  data: ListParWithRandom,
  persistent: boolean,
  known: SendEvent | undefined,
): void {
  const { space, mergeableTag } = reducer.surroundings;
  if (isMergeable(channel, mergeableTag)) reducer.noteMergeable(channel);
  const match = space.produce(channel, data, persistent, known);
  if (match === undefined) return;
  if (isFailedCall(match.event)) throw new InterpreterError({ class: "CanNotReplayFailedNonDeterministicProcess" });
  const repeat = persistent ? new ProduceAgain(channel, data, true, match.event) : undefined;
  // Quirk 21 §7.5: what a persistent send to the outside world got is not recorded.
  continueAfter(reducer, match, repeat, match.event, !persistent);
}

/** Only a replayed event can be marked so. @spec 21 §7.5 */
function isFailedCall(event: SendEvent): boolean {
  return event.failed && !event.isDeterministic && event.outputValue.length === 0;
}

/** Repeats a persistent send until no receive matches it, or puts a peeked datum back. @spec 21 §3.6 */
export class ProduceAgain implements Work {
  readonly kind = "branch";

  constructor(
    private readonly channel: Par,
    private readonly data: ListParWithRandom,
    private readonly persistent: boolean,
    private readonly known: SendEvent | undefined,
  ) {}

  run(reducer: Reducer): void {
    produce(reducer, this.channel, this.data, this.persistent, this.known);
  }
}
