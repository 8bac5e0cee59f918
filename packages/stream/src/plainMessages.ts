import * as Type from "typebox";
import { Check } from "typebox/value";
import { StreamError } from "./StreamError.js";

const hex32 = Type.String({ pattern: "^[0-9a-f]{64}$" });
const format = Type.Literal("vedette-stream-1");
const publisher = Type.String({ maxLength: 64 });
const longest = 4_096;

const finalFacts = Type.Object(
  {
    format,
    hash: hex32,
    number: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
    /** The block that became the last finalized one at the same time: itself, or a descendant. */
    with: hex32,
  },
  { additionalProperties: false },
);
const alarmFacts = Type.Object({ format, hash: hex32, valid: publisher, invalid: publisher });

/** A block became final. */
export type FinalFacts = Type.Static<typeof finalFacts>;
/** Publishers differ about a block. */
export type AlarmFacts = Type.Static<typeof alarmFacts>;

/** The message of a block that became final. */
export function finalMessage(facts: Omit<FinalFacts, "format">): Uint8Array {
  return encode({ format: "vedette-stream-1", ...facts });
}

/** @throws {StreamError} `messageWrong` */
export function readFinal(subject: string, bytes: Uint8Array): FinalFacts {
  return read(finalFacts, subject, bytes);
}

/** The message of publishers that differ. */
export function alarmMessage(facts: Omit<AlarmFacts, "format">): Uint8Array {
  return encode({ format: "vedette-stream-1", ...facts });
}

/** @throws {StreamError} `messageWrong` */
export function readAlarm(subject: string, bytes: Uint8Array): AlarmFacts {
  return read(alarmFacts, subject, bytes);
}

function encode(value: object): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value));
}

function read<Schema extends Type.TSchema>(schema: Schema, subject: string, bytes: Uint8Array): Type.Static<Schema> {
  const wrong = (cause?: unknown) =>
    new StreamError({ code: "messageWrong", subject, reason: "it is none of the format vedette-stream-1" }, { cause });
  if (bytes.length > longest) throw wrong();
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    if (Check(schema, value)) return value;
  } catch (error) {
    throw wrong(error);
  }
  throw wrong();
}
