import { useSyncExternalStore } from "react";

export type Theme = "light" | "dark";

const key = "vedette-theme";
const light = globalThis.matchMedia?.("(prefers-color-scheme: light)");
const readers = new Set<() => void>();

/** The reader's choice, or the system's setting. */
export function chosenTheme(): Theme {
  const kept = readKept();
  if (kept === "light" || kept === "dark") return kept;
  return light?.matches ? "light" : "dark";
}

/** The colours of the page; they follow the system while it is open, until the reader has chosen. */
export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, chosenTheme);
}

/** Gives the page its colours, now and whenever the system gets others. */
export function followTheme(): void {
  apply();
  light?.addEventListener("change", apply);
}

/** Keeps the choice, where the browser lets it be kept. A choice that the system shares is no choice any more. */
export function chooseTheme(theme: Theme): void {
  const isOfSystem = theme === (light?.matches ? "light" : "dark");
  try {
    if (isOfSystem) localStorage.removeItem(key);
    else localStorage.setItem(key, theme);
  } catch {
    // It holds until the page is closed.
    unkept = isOfSystem ? null : theme;
  }
  apply();
}

let unkept: Theme | null = null;

function subscribe(reader: () => void): () => void {
  readers.add(reader);
  return () => readers.delete(reader);
}

function apply(): void {
  document.documentElement.dataset["theme"] = chosenTheme();
  for (const reader of readers) reader();
}

function readKept(): string | null {
  try {
    return localStorage.getItem(key) ?? unkept;
  } catch {
    return unkept;
  }
}
