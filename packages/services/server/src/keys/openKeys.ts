import { unwatchFile, watchFile } from "node:fs";
import { errorText } from "@vedette/errors";
import type { RequestCounter } from "../http/RequestBudget.js";
import { ApiKeys } from "./ApiKeys.js";
import { readApiKeys } from "./apiKeyFile.js";

/** Between two looks at the file. */
const usualLookMs = 2_000;

/** The source of keys. */
export interface KeysOptions {
  readonly path: string;
  readonly isRequired: boolean;
  /** Counts their requests; default: this process alone. */
  readonly budget?: RequestCounter | undefined;
  /** Receives the name of the key of each request that has one. */
  readonly onUse: (name: string, isServed: boolean) => void;
  readonly onRead: (keys: number) => void;
  /** The file cannot be used as it is now: what held before goes on holding. */
  readonly onFailure: (reason: string) => void;
  readonly lookMs?: number;
}

/** Reads a file of keys, and again whenever it changes, until it is disposed of. @throws {ApiKeyFileError} at first */
export function openKeys({
  path,
  isRequired,
  budget,
  onUse,
  onRead,
  onFailure,
  lookMs = usualLookMs,
}: KeysOptions): { readonly keys: ApiKeys } & Disposable {
  const keys = new ApiKeys(isRequired, onUse, budget);
  const read = () => {
    const found = readApiKeys(path);
    keys.use(found);
    onRead(found.length);
  };
  read();
  const look = () => {
    try {
      read();
    } catch (error) {
      onFailure(errorText(error));
    }
  };
  watchFile(path, { interval: lookMs, persistent: false }, look);
  return { keys, [Symbol.dispose]: () => unwatchFile(path, look) };
}
