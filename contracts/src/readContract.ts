import { readFileSync } from "node:fs";

/** A file beside the contracts, by its name. */
export function readContract(name: string): string {
  return readFileSync(new URL(`../${name}`, import.meta.url), "utf8");
}
