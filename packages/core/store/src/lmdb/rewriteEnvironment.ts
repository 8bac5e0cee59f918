import { mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { StoreError } from "../StoreError.js";
import { type TableName, tablesOf } from "../tables.js";
import { LmdbStore } from "./LmdbStore.js";
import { dataFile, lockFile } from "./layout.js";
import { syncNames } from "./newEnvironment.js";
import { damageText, type FileDamage, lookThrough } from "./pages/checkFile.js";
import { lostEntries } from "./pages/lostEntries.js";
import { PageFile } from "./pages/PageFile.js";
import { storeFailure } from "./storeFailure.js";

/** The result of rewriting an environment. */
export interface RewrittenEnvironment {
  /** Values that are right, and are in the new file. */
  readonly entries: number;
  /** The damaged parts, which the new file lacks. */
  readonly damages: readonly FileDamage[];
  /** Tables that may lack entries with unknown keys. */
  readonly incomplete: ReadonlySet<TableName>;
  /** Where the old file lies now; `undefined` where it was whole, and is thrown away. */
  readonly setAside: string | undefined;
}

/** How an environment is written anew. */
export interface RewriteOptions {
  /** Called now and then; what it throws ends it, and nothing has changed then. */
  readonly yieldNow: () => Promise<void>;
  /** Checks each value besides its seal, which values of earlier versions do not have. Default: all pass. */
  readonly isWhole?: (table: string, key: Uint8Array, value: Uint8Array) => boolean;
}

/**
 * Gives an environment that an earlier version wrote a checksum for each value.
 *
 * @returns whether that was to be done
 * @throws {StoreError} `damaged` where not all of it can be read; what `yieldNow` throws; nothing has changed then
 */
export async function sealEnvironment(
  path: string,
  environment: "state" | "chain",
  use: RewriteOptions,
): Promise<boolean> {
  {
    await using store = new LmdbStore(path, { tables: tablesOf(environment), readOnly: true, looksThrough: true });
    if (store.isSealed) return false;
  }
  await rewrite(path, environment, { ...use, mustBeWhole: true });
  return true;
}

/** A transaction writes this many bytes. */
const batchBytes = 8 << 20;

/**
 * Writes an environment anew, with a checksum for each value, from what can be read of the old file without trusting
 * it: beside its place, and puts it there when it is whole and on disk. The old file is kept beside it where it was
 * damaged.
 *
 * No other process or thread may have the environment open.
 *
 * @throws {StoreError}; what `yieldNow` throws; nothing has changed then
 */
export function rewriteEnvironment(
  path: string,
  environment: "state" | "chain",
  use: RewriteOptions,
): Promise<RewrittenEnvironment> {
  return rewrite(path, environment, use);
}

async function rewrite(
  path: string,
  environment: "state" | "chain",
  use: RewriteOptions & { readonly mustBeWhole?: boolean },
): Promise<RewrittenEnvironment> {
  const beside = `${path}-anew`;
  try {
    rmSync(beside, { recursive: true, force: true });
    const copied = await copyInto(beside, path, environment, use);
    const old = join(path, dataFile);
    const [first] = copied.damages;
    if (first !== undefined && use.mustBeWhole === true)
      throw new StoreError({ code: "damaged", path, reason: damageText(first) });
    const isDamaged = first !== undefined;
    const aside = `${path}-damaged`;
    if (isDamaged) {
      rmSync(aside, { recursive: true, force: true });
      mkdirSync(aside);
    }
    rmSync(join(path, lockFile), { force: true });
    if (isDamaged) renameSync(old, join(aside, dataFile));
    renameSync(join(beside, dataFile), old);
    syncNames(path);
    rmSync(beside, { recursive: true, force: true });
    return { ...copied, setAside: isDamaged ? join(aside, dataFile) : undefined };
  } catch (error) {
    rmSync(beside, { recursive: true, force: true });
    throw storeFailure(path, error);
  }
}

async function copyInto(
  beside: string,
  path: string,
  environment: "state" | "chain",
  { yieldNow, isWhole = () => true }: RewriteOptions,
): Promise<Omit<RewrittenEnvironment, "setAside">> {
  const names: ReadonlySet<string> = new Set(tablesOf(environment));
  await using store = new LmdbStore(beside, { tables: tablesOf(environment) });
  using file = new PageFile(join(path, dataFile));
  const damages: FileDamage[] = [];
  const incomplete = new Set<TableName>();
  const batch = new Batch(store);
  const damaged = (damage: FileDamage) => {
    damages.push(damage);
    if (damage.key !== undefined) return;
    // Damage in the tree of the tables hides which entries were lost.
    for (const name of tablesOf(environment))
      if (damage.table === undefined || damage.table === name) incomplete.add(name);
  };
  const looking = lookThrough(file, {
    damaged,
    needsEachPage: true,
    entry(table, key, value) {
      if (!names.has(table)) return;
      if (isWhole(table, key, value)) batch.add(table as TableName, key, value);
      else damaged({ table, key: Uint8Array.from(key), what: "it is not what was written" });
    },
  });
  let step = looking.next();
  for (; step.done !== true; step = looking.next()) if (batch.writeIfFull()) await yieldNow();
  const looked = step.value;
  for (const entry of looked === undefined ? [] : lostEntries(file, looked, incomplete)) {
    if (!batch.has(entry.table, entry.key)) batch.add(entry.table, entry.key, entry.value);
    if (batch.writeIfFull()) await yieldNow();
  }
  batch.write();
  await store.sync();
  return { entries: batch.entries, damages, incomplete };
}

class Batch {
  readonly #store: LmdbStore;
  #held: { readonly table: TableName; readonly key: Uint8Array; readonly value: Uint8Array }[] = [];
  #bytes = 0;
  entries = 0;

  constructor(store: LmdbStore) {
    this.#store = store;
  }

  add(table: TableName, key: Uint8Array, value: Uint8Array): void {
    this.#held.push({ table, key: Uint8Array.from(key), value: Uint8Array.from(value) });
    this.#bytes += key.length + value.length;
    this.entries += 1;
  }

  /** Whether an entry was written before. */
  has(table: TableName, key: Uint8Array): boolean {
    return this.#store.table(table).has(key);
  }

  writeIfFull(): boolean {
    if (this.#bytes < batchBytes) return false;
    this.write();
    return true;
  }

  write(): void {
    const held = this.#held;
    this.#store.write((tables) => {
      for (const { table, key, value } of held) tables(table).put(key, value);
    });
    [this.#held, this.#bytes] = [[], 0];
  }
}
