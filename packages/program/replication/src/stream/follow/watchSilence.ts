import type { PublisherHeartbeat, PublisherHeartbeats } from "./PublisherHeartbeats.js";

/** No publisher has told for a while that it has published everything; or one does again. */
export interface SilenceEvent {
  readonly type: "silence";
  readonly isOver: boolean;
  readonly publishers: readonly PublisherHeartbeat[];
}

const lookMs = 1_000;

/** Tells of silence, and of its end, until it is disposed of. @param isConnected whether the server is heard */
export function watchSilence(
  signs: PublisherHeartbeats,
  isConnected: () => boolean,
  emit: (event: SilenceEvent) => void,
): Disposable {
  let isSilent = false;
  const timer = setInterval(() => {
    const nowMs = performance.now();
    const isNow = isConnected() && signs.completeUntilMs(nowMs) !== nowMs;
    if (isNow === isSilent) return;
    // Where the server is away nobody is heard, and that is told.
    if (!isNow && !isConnected()) return;
    isSilent = isNow;
    emit({ type: "silence", isOver: !isNow, publishers: signs.publishers() });
  }, lookMs);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
