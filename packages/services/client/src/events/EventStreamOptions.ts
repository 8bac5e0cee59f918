import type { EventKind, eventMessage, Static } from "@vedette/api";

/** Any message of an event stream; events are the messages about the chain. */
export type EventMessage = Static<typeof eventMessage>;

/** An event of the chain. @spec 50 §4 */
export type StreamEvent = Extract<EventMessage, { readonly kind: EventKind }>;

/** A name on which sends are watched. */
export interface WatchedName {
  readonly name: string;
  readonly channelHash: string;
}

/** The wanted part of a stream, and where it begins. */
export interface EventStreamOptions {
  /** Kinds of events; all that the other filters know unless given. */
  readonly kinds?: readonly EventKind[] | undefined;
  /** Public keys of deployers, in hex. */
  readonly deployers?: readonly string[];
  /** Vaults from or to which is transferred. */
  readonly addresses?: readonly string[];
  /** Names on which sends are watched: `text:…`, `uri:…`, `deployId:<hex>`, … */
  readonly names?: readonly string[];
  /** The cursor of the last event that is known; `oldest`; `newest` unless given. */
  readonly after?: string;
  /** Ends the stream. */
  readonly signal?: AbortSignal;
  /** Time without data after which a connection is closed; 45 s by default. Nodes send something every 15 s. */
  readonly silenceMs?: number;
  /** The first pause before connecting again, which doubles each time; 500 ms unless given. */
  readonly retryPauseMs?: number;
  /**
   * How long a node may stay away. Unless given: for ever once the stream has begun, and in the beginning not at all.
   */
  readonly giveUpAfterMs?: number;
  /** Called after each lost connection, before the next attempt. */
  readonly onDisconnect?: (reason: Error) => void;
}
