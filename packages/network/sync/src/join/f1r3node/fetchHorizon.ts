import { errorText } from "@vedette/errors";
import { fetchState, type StateFetching } from "../fetchState.js";
import { withinTime } from "../withinTime.js";

/** Nodes of a page. @spec 61 §16.4 (step 4) */
const horizonPageNodes = 1024;
const maxMs = 600_000;
/** Time for one state. Possibly no peer has the state of a block that other nodes find invalid. */
const maxMsOfOne = 60_000;

/**
 * Fetches the missing earlier states that blocks build on, or are merged from. A state that does not come in time is
 * left: it is requested again when a block needs it.
 *
 * @param roots the latest first
 * @spec 61 §16.4 (step 4)
 */
export async function fetchHorizon(
  roots: readonly Uint8Array[],
  use: StateFetching,
  signal: AbortSignal,
): Promise<void> {
  const { state, emit, timers } = use;
  const wanted: Uint8Array[] = [];
  for (const root of roots) if (!(await state.hasRoot(root))) wanted.push(root);
  if (wanted.length === 0) return;
  emit({ type: "horizonWanted", states: wanted.length });
  let held = 0;
  let reason = "";
  await withinTime(maxMs, { timers, signal }, async (limit) => {
    for (const root of wanted) {
      try {
        await withinTime(maxMsOfOne, { timers, signal: limit }, (one) => fetchOne(root, use, one));
        held += 1;
      } catch (error) {
        signal.throwIfAborted();
        reason = errorText(error);
        if (limit.aborted) return;
      }
    }
  });
  if (held < wanted.length) emit({ type: "horizonIncomplete", held, wanted: wanted.length, reason });
}

async function fetchOne(root: Uint8Array, use: StateFetching, signal: AbortSignal): Promise<void> {
  try {
    await fetchState(root, { ...use, pageNodes: horizonPageNodes, isLikeOther: true }, signal);
  } finally {
    use.received.want();
  }
}
