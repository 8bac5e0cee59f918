import { useSyncExternalStore } from "react";
import { useTimeForm } from "../data/timeForm.js";
import { printAgo, printMoment } from "../text/times.js";

let now = Date.now();
const readers = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** One clock for all times of a page. */
function subscribe(reader: () => void): () => void {
  readers.add(reader);
  timer ??= setInterval(() => {
    now = Date.now();
    for (const one of readers) one();
  }, 1_000);
  return () => {
    readers.delete(reader);
    if (readers.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
  };
}

/** The time now, by the second. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now);
}

/** How long ago or when, as the reader has chosen for lists; both outside of lists. */
export function Time({ at, isWhole = false }: { readonly at: number; readonly isWhole?: boolean }) {
  const ago = printAgo(at, Math.max(useNow(), at));
  const moment = printMoment(at);
  const [shown, other] = useTimeForm() === "moment" ? [moment, ago] : [ago, moment];
  const date = Math.abs(at) <= 8_640_000_000_000_000 ? new Date(at).toISOString() : undefined;
  return (
    <time dateTime={date} title={other} className="number">
      {isWhole ? (
        <>
          {moment} <span className="muted">({ago})</span>
        </>
      ) : (
        shown
      )}
    </time>
  );
}
