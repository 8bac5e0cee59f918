import { findDialect } from "@vedette/protocol";
import { LightError } from "../LightError.js";
import { f1r3nodeRules, type LightRules, rnodeRules } from "../LightRules.js";

/** The format name in a checkpoint that defines how to read it. @spec 70 §10 */
export const checkpointFormat = "vedette-checkpoint/1";

/** The trust of a light client: a final block, and the rules of its network. @spec 70 §10 */
export interface Checkpoint {
  readonly format: typeof checkpointFormat;
  readonly dialect: string;
  readonly shardId: string;
  /** 64 hexadecimal digits. */
  readonly blockHash: string;
  readonly blockNumber: number;
  /** Unix milliseconds. */
  readonly timestamp: number;
  /** Fault tolerance above which a block is final, in parts of a million. */
  readonly thresholdPpm: number;
}

const memberTypes: Readonly<Record<Exclude<keyof Checkpoint, "format">, "string" | "number">> = {
  dialect: "string",
  shardId: "string",
  blockHash: "string",
  blockNumber: "number",
  timestamp: "number",
  thresholdPpm: "number",
};

/**
 * Reads a checkpoint as `vedette checkpoint` prints it; other members are ignored.
 *
 * @throws {LightError} `form`
 * @spec 70 §10
 */
export function readCheckpoint(json: unknown): Checkpoint {
  const given = (typeof json === "object" && json !== null ? json : {}) as Readonly<Record<string, unknown>>;
  if (given["format"] !== checkpointFormat) throw bad("format", `must be "${checkpointFormat}"`);
  for (const [name, type] of Object.entries(memberTypes)) {
    const value = given[name];
    const fits = type === "string" ? typeof value === "string" && value.length <= 256 : Number.isSafeInteger(value);
    if (!fits) throw bad(name, `must be ${type === "string" ? "a text" : "a whole number"}`);
  }
  const { dialect, shardId, blockHash, blockNumber, timestamp, thresholdPpm } = given as unknown as Checkpoint;
  const place = { blockHash: blockHash.toLowerCase(), blockNumber, timestamp };
  const checkpoint: Checkpoint = { format: checkpointFormat, dialect, shardId, ...place, thresholdPpm };
  if (!/^[0-9a-fA-F]{64}$/.test(checkpoint.blockHash)) throw bad("blockHash", "must have 64 hexadecimal digits");
  checkpointRules(checkpoint);
  return checkpoint;
}

/** @throws {LightError} `form` */
export function checkpointRules({ dialect: name, thresholdPpm }: Checkpoint): LightRules {
  const dialect = findDialect(name);
  if (dialect === undefined) throw bad("dialect", "must be rnode or f1r3node");
  try {
    return rulesMakers[dialect.name](thresholdPpm);
  } catch (cause) {
    throw new LightError(
      { code: "form", field: "checkpoint.thresholdPpm", problem: "is no threshold of a network" },
      { cause },
    );
  }
}

const rulesMakers = {
  rnode: (ppm: number) => rnodeRules(ppm / 1e6),
  f1r3node: (ppm: number) => f1r3nodeRules(BigInt(ppm)),
};

function bad(field: string, problem: string): LightError {
  return new LightError({ code: "form", field: `checkpoint.${field}`, problem });
}
