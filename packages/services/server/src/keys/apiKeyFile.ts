import { createHash, randomBytes } from "node:crypto";
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { errorText } from "@vedette/errors";
import * as Type from "typebox";
import { Check, Errors } from "typebox/value";
import { ApiKeyFileError } from "./ApiKeyFileError.js";

const most = 10_000;
const maxBytes = 4 << 20;
const closed = { additionalProperties: false } as const;
const count = Type.Integer({ minimum: 1, maximum: 1_000_000 });

const key = Type.Object(
  {
    /** For people, logs and metrics. */
    name: Type.String({ pattern: "^[A-Za-z0-9._-]{1,64}$" }),
    /** The hash of the key's text, in lower-case hex. */
    sha256: Type.String({ pattern: "^[0-9a-f]{64}$" }),
    requestsPerSecond: count,
    requestsAtOnce: count,
    /** When it was made, as ISO 8601. */
    created: Type.String({ maxLength: 40 }),
  },
  closed,
);
const file = Type.Object({ keys: Type.Array(key, { maxItems: most }) }, closed);

/** The limits that an operator gives the holder of a key; only the hash of the key itself is known. */
export type ApiKey = Readonly<Type.Static<typeof key>>;

const prefix = "vedette_";

/** Whether a text has the form of a Vedette API key; others may be for a proxy. */
export function looksLikeKey(text: string): boolean {
  return text.startsWith(prefix);
}

/** A new key: 256 bits from the system's randomness. */
export function makeApiKey(): string {
  return `${prefix}${randomBytes(32).toString("base64url")}`;
}

/** Returns the hash by which a key is found. It has too many bits to be guessed, so that one hash is enough. */
export function hashOfApiKey(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** @throws {ApiKeyFileError} `unreadable`, `wrong` */
export function readApiKeys(path: string): readonly ApiKey[] {
  let text: string;
  try {
    if (statSync(path).size > maxBytes) throw new Error(`it is larger than ${maxBytes} bytes`);
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw new ApiKeyFileError({ code: "unreadable", path, reason: errorText(error) }, { cause: error });
  }
  const wrong = (reason: string) => new ApiKeyFileError({ code: "wrong", path, reason });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw wrong(errorText(error));
  }
  if (!Check(file, value)) {
    const [first] = Errors(file, value);
    throw wrong(`${first?.instancePath ?? ""} ${first?.message ?? "it has another form"}`.trim());
  }
  for (const member of ["name", "sha256"] as const)
    if (new Set(value.keys.map((one) => one[member])).size < value.keys.length)
      throw wrong(`two keys have the same ${member}`);
  return value.keys;
}

/**
 * Changes or creates a file of keys in one step: another process reads either the old or the new file.
 *
 * @throws {ApiKeyFileError}, and what `change` throws
 */
export function changeApiKeys(path: string, change: (keys: readonly ApiKey[]) => readonly ApiKey[]): void {
  const beside = `${path}.new`;
  let place: number;
  try {
    place = openSync(beside, "wx", 0o644);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") throw new ApiKeyFileError({ code: "busy", path, beside });
    throw new ApiKeyFileError({ code: "unreadable", path, reason: errorText(error) }, { cause: error });
  }
  try {
    const keys = change(isThere(path) ? readApiKeys(path) : []);
    if (keys.length > most) throw new ApiKeyFileError({ code: "full", most });
    writeFileSync(place, `${JSON.stringify({ keys }, undefined, 2)}\n`);
    fsyncSync(place);
    renameSync(beside, path);
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  } finally {
    closeSync(place);
  }
}

function isThere(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}
