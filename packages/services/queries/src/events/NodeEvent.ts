import { type EventKind, eventAmounts, type JsonValue, printJson } from "@vedette/api";
import { printEventCursor } from "./Cursor.js";

/** The position of an event. */
export interface EventPosition {
  /** The cursor after all of its entry. */
  readonly entry: string;
  readonly part: number;
  readonly index: number;
}

/** The facts that filters check. */
export interface EventSubjects {
  /** Public key in lower-case hex. */
  readonly deployer?: string;
  readonly addresses?: readonly [from: string, to: string];
  /** Hash of the channel in lower-case hex. */
  readonly channel?: string;
}

/** The members of an event beside its kind and its cursor. */
export type EventContent = { readonly [name: string]: JsonValue | undefined };

/** An event with a text that is made once for all its receivers. */
export class NodeEvent {
  readonly kind: EventKind;
  readonly part: number;
  readonly index: number;
  readonly subjects: EventSubjects;
  readonly cursor: string;
  readonly #content: () => EventContent;
  #message: Buffer | undefined;
  #frame: Buffer | undefined;
  #streamed: Buffer | undefined;

  constructor(
    kind: EventKind,
    { entry, part, index }: EventPosition,
    subjects: EventSubjects,
    content: () => EventContent,
  ) {
    this.kind = kind;
    this.part = part;
    this.index = index;
    this.subjects = subjects;
    this.cursor = printEventCursor(entry, part, index);
    this.#content = content;
  }

  /** As JSON. */
  get message(): Buffer {
    const content = () => ({ kind: this.kind, cursor: this.cursor, ...this.#content() });
    return (this.#message ??= Buffer.from(printJson(content(), eventAmounts)));
  }

  /** As a whole frame of a WebSocket. */
  get frame(): Buffer {
    return (this.#frame ??= textFrame(this.message));
  }

  /** As a server-sent event. */
  get streamed(): Buffer {
    return (this.#streamed ??= streamedEvent(this.cursor, this.kind, this.message));
  }
}

/** Events that many readers get together, put together once. */
class EventBatch {
  readonly last: NodeEvent;
  /** The size of the messages. */
  readonly bytes: number;
  readonly #events: readonly NodeEvent[];
  #frames: Buffer | undefined;
  #streamed: Buffer | undefined;

  constructor(events: readonly NodeEvent[]) {
    this.#events = events;
    this.last = events.at(-1)!;
    this.bytes = events.reduce((sum, { message }) => sum + message.length, 0);
  }

  /** As whole frames of a WebSocket. */
  get frames(): Buffer {
    return (this.#frames ??= Buffer.concat(this.#events.map(({ frame }) => frame)));
  }

  /** As server-sent events. */
  get streamed(): Buffer {
    return (this.#streamed ??= Buffer.concat(this.#events.map(({ streamed }) => streamed)));
  }
}

const batches = new WeakMap<readonly NodeEvent[], EventBatch>();

/** The batch of a list of events, which never changes and is not empty; the same one for the same list. */
export function batchOf(events: readonly NodeEvent[]): EventBatch {
  let batch = batches.get(events);
  if (batch === undefined) {
    batch = new EventBatch(events);
    batches.set(events, batch);
  }
  return batch;
}

/** One server-sent event; the data are JSON and so have no line breaks. */
export function streamedEvent(cursor: string, kind: string, data: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from(`id: ${cursor}\nevent: ${kind}\ndata: `), data, Buffer.from("\n\n")]);
}

/** A frame with a whole text, as servers send it. @spec RFC 6455 §5.2 */
export function textFrame(text: Uint8Array): Buffer {
  const { length } = text;
  const head = Buffer.alloc(length < 126 ? 2 : length < 65_536 ? 4 : 10);
  head[0] = 0x81;
  if (length < 126) head[1] = length;
  else if (length < 65_536) {
    head[1] = 126;
    head.writeUInt16BE(length, 2);
  } else {
    head[1] = 127;
    head.writeBigUInt64BE(BigInt(length), 2);
  }
  return Buffer.concat([head, text]);
}
