/** An event of a node, as it is handed on. */
export interface SinkEvent {
  /** The event's cursor: the same each time that this event is handed on. @spec 50 §4.1 */
  readonly id: string;
  readonly kind: string;
  /** Events of one key are handed on one after the other. */
  readonly key: string;
  /** The event as JSON text. */
  readonly body: string;
}

/** Somebody outside to whom events are handed. */
export interface Sink extends AsyncDisposable {
  /** Who it is, for people; without passwords. */
  readonly label: string;
  /** Events of one key that are handed on together, at most. */
  readonly maxTotal: number;
  /** Keys whose events are handed on at once, at most. */
  readonly maxConcurrent: number;
  /** Finds out whether it can be used. @throws {SinkError} */
  open(): Promise<void>;
  /**
   * Comes back when the other side has all of them, in their order. After an error nobody knows which it has.
   *
   * @param signal ends the waiting
   * @throws {SinkError}
   */
  deliver(events: readonly SinkEvent[], signal: AbortSignal): Promise<void>;
}
