import type { JsonValue } from "@vedette/api";
import type { NodeEvent } from "./NodeEvent.js";

/** A message that is no event: where a stream begins, that it is alive, why it ends. */
export interface StreamMessage {
  readonly kind: "started" | "heartbeat" | "behind" | "closing" | "problem";
  readonly cursor: string;
  readonly [name: string]: JsonValue;
}

/** Counts the bytes that a connection keeps because they are unsent; bytes shared by several count once. */
export interface KeptCount {
  /** Comes before the bytes are written; the connection may be destroyed by it. */
  sending(bytes: Uint8Array): void;
  sent(bytes: Uint8Array): void;
}

/** Takes the messages of one reader. What does not go out at once is kept by the connection, up to a bound. */
export interface EventSink {
  /** Bytes that the connection keeps, because they could not go out yet. */
  readonly keptBytes: number;
  send(event: NodeEvent): void;
  /** Sends events that other readers get together too; given as the same list, they are put together once. */
  sendAll(events: readonly NodeEvent[]): void;
  sendMessage(message: StreamMessage): void;
  /** Looks whether the other side is there still; called in the rhythm of heartbeats. */
  probe(): void;
  /** Ends the connection, by force when the other side does not react for this time. Resolves when it has ended. */
  end(code: number, reason: string, graceMs: number): Promise<void>;
  /** Called when a full connection has room again. */
  onRoom: () => void;
  /** Called once when the connection has ended, from either side. */
  onEnd: () => void;
}
