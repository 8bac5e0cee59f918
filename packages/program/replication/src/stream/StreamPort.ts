/** The stream that messages go into, as it is at a moment. */
export interface PublishedStream {
  /** A unique id, also different from that of a stream that takes its place under the same name. */
  readonly id: string;
  /** Sequence of the oldest message that it has; where it has none, more than that of any that it had. */
  readonly first: number;
  /** For how long it keeps a message; infinite where it keeps all. */
  readonly keptMs: number;
}

/** Where messages go: a stream that keeps one message of each subject, in the order in which they came. */
export interface StreamPort extends AsyncDisposable {
  /** Name of the server, for people. */
  readonly label: string;
  /** The maximum length of a message. Known once it was opened. */
  readonly maxBytes: number;
  /**
   * Makes the stream unless it exists.
   *
   * @returns its id, as {@link look} returns it
   * @throws {StreamError} `unusable`, `otherStream`
   */
  open(): Promise<string>;
  /** The stream as it is now. @throws {StreamError} `unusable` */
  look(): Promise<PublishedStream>;
  /** @returns whether it was stored; `false` where there is one of this subject @throws {StreamError} `unusable` */
  publish(subject: string, bytes: Uint8Array): Promise<boolean>;
  /** Sends a message to current listeners, whether or not the stream keeps it. @throws {StreamError} `unusable` */
  announce(subject: string, bytes: Uint8Array): void;
  /** The message of a subject. @throws {StreamError} `unusable` */
  find(subject: string): Promise<Uint8Array | undefined>;
  /** Sequence of the message of a subject. @throws {StreamError} `unusable` */
  sequenceOf(subject: string): Promise<number | undefined>;
}
