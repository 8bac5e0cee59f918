export type Theme = "light" | "dark";

const key = "vedette-theme";

/** What the reader chose, or what the system is set to. */
export function chosenTheme(): Theme {
  const kept = readKept();
  if (kept === "light" || kept === "dark") return kept;
  return matchMedia("(prefers-color-scheme: light)").matches ? "light" : "dark";
}

export function applyTheme(theme: Theme): void {
  document.documentElement.dataset["theme"] = theme;
}

/** Keeps the choice, where the browser lets it be kept. */
export function chooseTheme(theme: Theme): void {
  applyTheme(theme);
  try {
    localStorage.setItem(key, theme);
  } catch {
    // It holds until the page is closed.
  }
}

function readKept(): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}
