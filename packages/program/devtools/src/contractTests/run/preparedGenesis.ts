import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { deserialize, serialize } from "node:v8";
import { blake2b256, toHex } from "@vedette/crypto";
import type { TestState } from "@vedette/execution";
import { MemoryStore } from "@vedette/store";
import { StateStore, stateTables } from "@vedette/tuplespace";
import type { TestDialect } from "./TestDialect.js";

/** The state after genesis, as it goes from thread to thread and to a file. */
export interface GenesisImage {
  readonly root: Uint8Array;
  readonly tables: readonly (readonly [name: string, entries: readonly (readonly [Uint8Array, Uint8Array])[]])[];
}

const tableNames = Object.values(stateTables);

/**
 * The genesis on which tests run: system contracts, wallets for `u1` to `u4` and `v1` to `v3`. It is played once and
 * then kept in a file; where that cannot be written it is played again.
 *
 * @param names of the contracts; all when empty
 * @throws Error when there is no such contract, or one cannot do without another
 */
export function prepareGenesis(names: readonly string[], dialect: TestDialect, folder = cacheFolder()): GenesisImage {
  const unknown = names.find((name) => !dialect.contracts.includes(name));
  if (unknown !== undefined)
    throw new Error(`There is no system contract ${unknown}; there are ${dialect.contracts.join(", ")}`);
  const contracts = names.length === 0 ? dialect.contracts : names;
  const file = join(folder, `genesis-${toHex(genesisKey(dialect.sources(contracts))).slice(0, 32)}.bin`);
  return readImage(file) ?? writeImage(folder, file, playImage(contracts, dialect));
}

/** Makes a state of an image, in the memory of this thread. */
export function openGenesis({ root, tables }: GenesisImage, { space: form, trial }: TestDialect): TestState {
  const store = new MemoryStore(tableNames);
  store.write((table) => {
    for (const [name, entries] of tables)
      for (const [key, value] of entries) table(name as (typeof tableNames)[number]).put(key, value);
  });
  return { states: new StateStore(store, { form }), root, trial };
}

function playImage(contracts: readonly string[], { space: form, playGenesis }: TestDialect): GenesisImage {
  const store = new MemoryStore(tableNames);
  const root = playGenesis(contracts, new StateStore(store, { form }));
  return { root, tables: tableNames.map((name) => [name, [...store.table(name).range()]]) };
}

function readImage(file: string): GenesisImage | undefined {
  try {
    const image = deserialize(readFileSync(file)) as GenesisImage;
    return image.root.length === 32 && Array.isArray(image.tables) ? image : undefined;
  } catch {
    return undefined;
  }
}

function writeImage(folder: string, file: string, image: GenesisImage): GenesisImage {
  try {
    mkdirSync(folder, { recursive: true });
    const draft = `${file}.${process.pid}`;
    writeFileSync(draft, serialize(image));
    renameSync(draft, file);
  } catch {
    // A cache that cannot be written costs the next run a few seconds, and this one nothing.
  }
  return image;
}

/** Returns the hash of all sources from which the state is made. */
function genesisKey(sources: readonly string[]): Uint8Array {
  return blake2b256(new TextEncoder().encode([imageFormat, ...sources].join("\u0000")));
}

/** Changes with the interpreter's results and with the form of the file. */
const imageFormat = "1";

function cacheFolder(): string {
  return join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "vedette");
}
