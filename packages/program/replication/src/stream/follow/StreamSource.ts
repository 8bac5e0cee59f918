/** A message as it comes from a stream. */
export interface SourceMessage {
  /** Its number in the stream: later ones have higher ones. */
  readonly sequence: number;
  /** Number of the message within one reading: 1 and so on, so that a gap is visible. */
  readonly delivery: number;
  readonly subject: string;
  readonly bytes: Uint8Array;
  /** Messages behind it, as far as is known. */
  readonly pending: number;
  /** When the server took it, in Unix milliseconds of the server's clock. */
  readonly storedMs: number;
}

/** Which stream there is, and what it has. */
export interface StreamBounds {
  /** A unique id, also different from that of a stream that takes its place under the same name. */
  readonly stream: string;
  /** Sequence of the oldest message that is kept. */
  readonly first: number;
  /** Sequence of the newest message; less than the first in an empty stream. */
  readonly last: number;
  /** Sequence of the newest message that reading gives; 0 without one. */
  readonly newest: number;
  /** When the server took that one, in Unix milliseconds of its clock. */
  readonly newestMs: number | undefined;
}

/** Where messages come from. */
export interface StreamSource extends AsyncDisposable {
  /** Name of the server, for people. */
  readonly label: string;
  /** @throws {StreamError} `unusable`: also where the stream is not there; `otherStream` */
  open(): Promise<StreamBounds>;
  /**
   * Messages of blocks, finality and alarms, in their order, and later ones as they come. Only a few are fetched ahead
   * of the reader. Ends with the signal.
   *
   * @param from sequence of the first one
   * @throws {StreamError} `unusable`: also where the server is silent
   */
  read(from: number, signal: AbortSignal): AsyncIterable<SourceMessage>;
  /**
   * Subscribes to the subjects of a pattern, from the next opening on, including messages that the stream does not
   * keep. Messages may be lost without notice.
   */
  subscribe(pattern: string, take: (subject: string, bytes: Uint8Array) => void): void;
  /** The message of a subject. @throws {StreamError} `unusable` */
  find(subject: string): Promise<Uint8Array | undefined>;
  /** Sequence of the message of a subject. @throws {StreamError} `unusable` */
  sequenceOf(subject: string): Promise<number | undefined>;
  /** Subjects that the stream has, of those that a pattern names. @throws {StreamError} `unusable` */
  subjects(pattern: string): Promise<readonly string[]>;
}
