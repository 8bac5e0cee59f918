import type { BindPattern, Par, TaggedContinuation } from "@vedette/terms";
import type { Reducer } from "../Reducer.js";
import type { Work } from "../Work.js";
import { continueAfter } from "./continue.js";
import type { ReceiveEvent } from "./events.js";
import { isMergeable } from "./mergeable.js";

/** A receive, ready for the tuple space. @spec 21 §3.6 */
export interface ConsumeRequest {
  readonly channels: readonly Par[];
  readonly patterns: readonly BindPattern[];
  readonly continuation: TaggedContinuation;
  readonly persistent: boolean;
  readonly peeks: readonly number[];
}

/**
 * A receive's part in the tuple space.
 *
 * @param known the event of this very operation, where it is repeated
 * @spec 21 §3.6
 */
export function consume(reducer: Reducer, request: ConsumeRequest, known: ReceiveEvent | undefined): void {
  const { space, mergeableTag } = reducer.surroundings;
  const { channels, persistent } = request;
  for (let i = 0; i < channels.length; i += 1)
    if (isMergeable(channels[i]!, mergeableTag)) reducer.noteMergeable(channels[i]!);
  const match = space.consume(channels, request.patterns, request.continuation, persistent, request.peeks, known);
  if (match === undefined) return;
  const repeat = persistent ? new ConsumeAgain(request, match.event) : undefined;
  continueAfter(reducer, match, repeat, undefined, false);
}

/** A contract that takes the next datum, until there is none. @spec 21 §3.6 */
class ConsumeAgain implements Work {
  readonly kind = "branch";

  constructor(
    private readonly request: ConsumeRequest,
    private readonly known: ReceiveEvent,
  ) {}

  run(reducer: Reducer): void {
    consume(reducer, this.request, this.known);
  }
}
