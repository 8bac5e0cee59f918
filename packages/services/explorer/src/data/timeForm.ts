import { useSyncExternalStore } from "react";

/** How lists show times: how long ago, or the moment itself. */
export type TimeForm = "ago" | "moment";

const key = "vedette-times";
const readers = new Set<() => void>();
let form: TimeForm = readKept() === "moment" ? "moment" : "ago";

export function useTimeForm(): TimeForm {
  return useSyncExternalStore(subscribe, () => form);
}

/** Changes the form of all times in lists; this browser keeps it, if it lets it be kept. */
export function switchTimeForm(): void {
  form = form === "ago" ? "moment" : "ago";
  try {
    localStorage.setItem(key, form);
  } catch {
    // It holds until the page is closed.
  }
  for (const reader of readers) reader();
}

function subscribe(reader: () => void): () => void {
  readers.add(reader);
  return () => readers.delete(reader);
}

function readKept(): string | null {
  try {
    return globalThis.localStorage?.getItem(key) ?? null;
  } catch {
    return null;
  }
}
