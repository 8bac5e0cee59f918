import * as Type from "typebox";
import { Compile } from "typebox/compile";
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
const saidFacts = Type.Object(
  {
    format,
    /** Hash of the content of the block's message; of a block that is final, its own hash. */
    content: hex32,
    publisher,
  },
  { additionalProperties: false },
);

const lifeFacts = Type.Object(
  {
    format,
    publisher,
    /** Entries of the node's log that it has not published. */
    left: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
    /** For how long there have been such; null before there were none. */
    behindMs: Type.Union([Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }), Type.Null()]),
    isNodeRunning: Type.Boolean(),
  },
  { additionalProperties: false },
);

const checks = {
  final: Compile(finalFacts),
  alarm: Compile(alarmFacts),
  said: Compile(saidFacts),
  life: Compile(lifeFacts),
};

/** A block became final. */
export type FinalFacts = Type.Static<typeof finalFacts>;
/** Publishers differ about a block. */
type AlarmFacts = Type.Static<typeof alarmFacts>;

/** A publisher's statement about a block. */
export type PublisherStatement = Type.Static<typeof saidFacts>;

/** The message of a block that became final. */
export function finalMessage(facts: Omit<FinalFacts, "format">): Uint8Array {
  return encode({ format: "vedette-stream-1", ...facts });
}

/** @throws {StreamError} `messageWrong` */
export function readFinal(subject: string, bytes: Uint8Array): FinalFacts {
  return read(checks.final, subject, bytes);
}

/** The message of publishers that differ. */
export function alarmMessage(facts: Omit<AlarmFacts, "format">): Uint8Array {
  return encode({ format: "vedette-stream-1", ...facts });
}

/** Reads an alarm as the error that it means for a replica. @throws {StreamError} `messageWrong` */
export function readAlarm(subject: string, bytes: Uint8Array): StreamError {
  const { hash, valid, invalid } = read(checks.alarm, subject, bytes);
  return new StreamError({ code: "differs", hash, valid, invalid });
}

/** As {@link readAlarm}; `undefined` for other messages: anything may be on such a subject. */
export function alarmIn(subject: string, bytes: Uint8Array): StreamError | undefined {
  try {
    return readAlarm(subject, bytes);
  } catch (error) {
    if (error instanceof StreamError) return undefined;
    throw error;
  }
}

/** Makes the message of a publisher's statement. */
export function saidMessage(facts: Omit<PublisherStatement, "format">): Uint8Array {
  return encode({ format: "vedette-stream-1", ...facts });
}

/** @throws {StreamError} `messageWrong` */
export function readSaid(subject: string, bytes: Uint8Array): PublisherStatement {
  return read(checks.said, subject, bytes);
}

/** Encodes a publisher's heartbeat. */
export function lifeMessage(facts: Omit<Type.Static<typeof lifeFacts>, "format">): Uint8Array {
  return encode({ format: "vedette-stream-1", ...facts });
}

/** @throws {StreamError} `messageWrong` */
export function decodeHeartbeat(subject: string, bytes: Uint8Array): Type.Static<typeof lifeFacts> {
  return read(checks.life, subject, bytes);
}

function encode(value: object): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value));
}

function read<Facts>(
  check: { readonly Check: (value: unknown) => value is Facts },
  subject: string,
  bytes: Uint8Array,
): Facts {
  const wrong = (cause?: unknown) =>
    new StreamError({ code: "messageWrong", subject, reason: "it is none of the format vedette-stream-1" }, { cause });
  if (bytes.length > longest) throw wrong();
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    if (check.Check(value)) return value;
  } catch (error) {
    throw wrong(error);
  }
  throw wrong();
}
