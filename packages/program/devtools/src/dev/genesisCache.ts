import { randomBytes } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";

/** Prepared chains that are kept; the one that was not used for the longest time goes. */
const maxStored = 6;

/** Where prepared chains are kept: in the user's folder for what can be made again. */
export function cachePath(environment: Readonly<Record<string, string | undefined>> = process.env): string {
  const base = environment["XDG_CACHE_HOME"];
  return join(base !== undefined && base !== "" ? base : join(homedir(), ".cache"), "vedette", "dev");
}

/** Puts a prepared chain into a directory. @returns whether there was one */
export function copyPrepared(cache: string, key: string, to: string): boolean {
  const entry = join(cache, key);
  if (!existsSync(entry)) return false;
  cpSync(entry, to, { recursive: true });
  const now = new Date();
  utimesSync(entry, now, now);
  return true;
}

/** Keeps a prepared chain: it is there whole, or not at all. */
export function keepPrepared(cache: string, key: string, make: (folder: string) => void): void {
  const draft = join(cache, `.${key}-${randomBytes(4).toString("hex")}`);
  mkdirSync(dirname(draft), { recursive: true, mode: 0o700 });
  try {
    make(draft);
    if (!existsSync(join(cache, key))) renameSync(draft, join(cache, key));
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  removeOldest(cache);
}

/** So that it is made anew. */
export function forgetPrepared(cache: string, key: string): void {
  rmSync(join(cache, key), { recursive: true, force: true });
}

function removeOldest(cache: string): void {
  const entries = readdirSync(cache)
    .map((name) => ({ path: join(cache, name), usedMs: statSync(join(cache, name)).mtimeMs }))
    .sort((a, b) => b.usedMs - a.usedMs);
  for (const { path } of entries.slice(maxStored)) rmSync(path, { recursive: true, force: true });
}
