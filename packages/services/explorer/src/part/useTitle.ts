import { useEffect } from "react";
import { plainText } from "../text/hiddenCharacters.js";

/** Names the page in the browser's tab and history: `Block #12 · Vedette`. @param name left out: the explorer itself */
export function useTitle(name?: string): void {
  useEffect(() => {
    document.title = name === undefined ? "Vedette" : `${plainText(name)} · Vedette`;
  }, [name]);
}
