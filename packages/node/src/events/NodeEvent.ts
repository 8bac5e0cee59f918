import { type EventKind, type JsonValue, printJson } from "@vedette/api";
import { printEventCursor } from "./Cursor.js";

/** Where an event stands. */
export interface EventPlace {
  readonly log: string;
  readonly entry: number;
  readonly part: number;
  readonly index: number;
}

/** What filters look at. */
export interface EventSubjects {
  /** Public key in lower-case hex. */
  readonly deployer?: string;
  readonly addresses?: readonly [from: string, to: string];
  /** Hash of the channel in lower-case hex. */
  readonly channel?: string;
}

/** The members of an event beside its kind and its cursor. */
export type EventContent = { readonly [name: string]: JsonValue };

/** An event, whose text is made once for all who receive it. */
export class NodeEvent {
  readonly kind: EventKind;
  readonly part: number;
  readonly index: number;
  readonly subjects: EventSubjects;
  readonly cursor: string;
  readonly #content: () => EventContent;
  #message: Buffer | undefined;
  #streamed: Buffer | undefined;

  constructor(
    kind: EventKind,
    { log, entry, part, index }: EventPlace,
    subjects: EventSubjects,
    content: () => EventContent,
  ) {
    this.kind = kind;
    this.part = part;
    this.index = index;
    this.subjects = subjects;
    this.cursor = printEventCursor(log, entry, part, index);
    this.#content = content;
  }

  /** As a message of a WebSocket. */
  get message(): Buffer {
    return (this.#message ??= Buffer.from(printJson({ kind: this.kind, cursor: this.cursor, ...this.#content() })));
  }

  /** As a server-sent event. */
  get streamed(): Buffer {
    return (this.#streamed ??= streamedEvent(this.cursor, this.kind, this.message));
  }
}

/** One server-sent event; the data are JSON and so have no line breaks. */
export function streamedEvent(cursor: string, kind: string, data: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from(`id: ${cursor}\nevent: ${kind}\ndata: `), data, Buffer.from("\n\n")]);
}
