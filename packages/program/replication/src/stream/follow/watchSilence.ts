import type { PublisherHeartbeat, PublisherHeartbeats } from "./PublisherHeartbeats.js";

/** For a while no publisher has reported that it has published everything; or one does again. */
export interface SilenceEvent {
  readonly type: "silence";
  readonly isOver: boolean;
  readonly publishers: readonly PublisherHeartbeat[];
}

const lookMs = 1_000;

/** Reports silence, and its end, until it is disposed of. @param isConnected whether the server answers */
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
    // A lost server also means silence, and its loss is reported elsewhere.
    if (!isNow && !isConnected()) return;
    isSilent = isNow;
    emit({ type: "silence", isOver: !isNow, publishers: signs.publishers() });
  }, lookMs);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
