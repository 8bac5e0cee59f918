import { blake2b256, toHex } from "@vedette/crypto";
import * as Type from "typebox";
import { Check } from "typebox/value";
import { StreamError } from "../StreamError.js";

const format = Type.Literal("vedette-verify-1");
const hex32 = Type.String({ pattern: "^[0-9a-f]{64}$" });
const height = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const name = Type.String({ maxLength: 100 });
const reason = Type.String({ maxLength: 2_000 });
const closed = { additionalProperties: false } as const;
const network = Type.String({ maxLength: 256 });

/** Blocks of a task; several a height where blocks have several parents. */
export const maxBlocks = 4_096;
const longestMessage = 1 << 20;

const task = Type.Object(
  { format, network, from: height, to: height, blocks: Type.Array(hex32, { minItems: 1, maxItems: maxBlocks }) },
  closed,
);
const finding = Type.Object({ hash: hex32, reason }, closed);
const result = Type.Object(
  {
    format,
    from: height,
    to: height,
    /** Blake2b-256 of the task's bytes: what was verified. */
    task: hex32,
    /** Id of the worker that verified. */
    worker: name,
    blocks: Type.Integer({ minimum: 0, maximum: maxBlocks }),
    /**
     * `verified`: each block is right; `differs`: one is not; `unverified`: no worker could judge one of the blocks;
     * `unfinished`: no worker came to the end.
     */
    outcome: Type.Union([
      Type.Literal("verified"),
      Type.Literal("differs"),
      Type.Literal("unverified"),
      Type.Literal("unfinished"),
    ]),
    /** The block, where it is not verified; the first that differs, if one does. */
    finding: Type.Optional(finding),
  },
  closed,
);
const progress = Type.Object(
  {
    format,
    network,
    /** The lowest height that there are blocks of. */
    from: height,
    /** Every block up to this height is verified; `null` where the first is not yet. */
    verifiedTo: Type.Union([height, Type.Null()]),
    /** The height of the last finalized block. */
    finalized: height,
    segments: Type.Object({ verified: height, differing: height, unverified: height, left: height }, closed),
    /** Blocks that do not match their statements; the first hundred. */
    differences: Type.Array(Type.Object({ from: height, worker: name, hash: hex32, reason }, closed), {
      maxItems: 100,
    }),
  },
  closed,
);

/** Blocks to verify: the final ones of some heights, from below. */
export type VerifyTask = Omit<Type.Static<typeof task>, "format">;
/** The result of a task. */
export type VerifyResult = Omit<Type.Static<typeof result>, "format">;
/** How far a chain is verified. */
export type VerifyProgress = Omit<Type.Static<typeof progress>, "format">;

/** The bytes of a message; the same for the same content. */
export function encodeTask({ network: of, from, to, blocks }: VerifyTask): Uint8Array {
  return encode({ format: "vedette-verify-1", network: of, from, to, blocks });
}

/** Returns the key of the tasks and results of the same heights. */
export function keyOfSegment({ from, to }: { readonly from: number; readonly to: number }): string {
  return `${from}-${to}`;
}

/** Returns the id by which a result names its task. */
export function idOfTask(bytes: Uint8Array): string {
  return toHex(blake2b256(bytes));
}

/** @throws {StreamError} `messageWrong` */
export function readTask(subject: string, bytes: Uint8Array): VerifyTask {
  return read(task, subject, bytes);
}

/** As a message; reasons are cut. */
export function encodeResult(given: VerifyResult): Uint8Array {
  const cut = given.finding && { ...given.finding, reason: given.finding.reason.slice(0, 2_000) };
  return encode({ format: "vedette-verify-1", ...given, ...(cut === undefined ? {} : { finding: cut }) });
}

/** @throws {StreamError} `messageWrong` */
export function readResult(subject: string, bytes: Uint8Array): VerifyResult {
  return read(result, subject, bytes);
}

/** As a message. */
export function encodeProgress(given: VerifyProgress): Uint8Array {
  return encode({ format: "vedette-verify-1", ...given });
}

/** @throws {StreamError} `messageWrong` */
export function readProgress(subject: string, bytes: Uint8Array): VerifyProgress {
  return read(progress, subject, bytes);
}

function encode(value: object): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value));
}

function read<Schema extends Type.TSchema>(schema: Schema, subject: string, bytes: Uint8Array): Type.Static<Schema> {
  const wrong = (cause?: unknown) =>
    new StreamError({ code: "messageWrong", subject, reason: "it is none of the format vedette-verify-1" }, { cause });
  if (bytes.length > longestMessage) throw wrong();
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    if (Check(schema, value)) return value;
  } catch (error) {
    throw wrong(error);
  }
  throw wrong();
}
