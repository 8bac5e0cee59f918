/** An event of a node, as it is delivered. */
export interface SinkEvent {
  /** The event's cursor: the same at each delivery of this event. @spec 50 §4.1 */
  readonly id: string;
  readonly kind: string;
  /** Events of one key are delivered one after the other. */
  readonly key: string;
  /** The event as JSON text. */
  readonly body: string;
}

/** An external system that receives events. */
export interface Sink extends AsyncDisposable {
  /** Name of the system for the log, without passwords. */
  readonly label: string;
  /** Maximum number of events of one key in a delivery. */
  readonly maxTotal: number;
  /** Maximum number of keys with events that are delivered at once. */
  readonly maxConcurrent: number;
  /** Finds out whether it can be used. @throws {SinkError} */
  open(): Promise<void>;
  /**
   * Returns when the external system has all of them, in their order. After an error, it may have any of them.
   *
   * @param signal ends the waiting
   * @throws {SinkError}
   */
  deliver(events: readonly SinkEvent[], signal: AbortSignal): Promise<void>;
}
