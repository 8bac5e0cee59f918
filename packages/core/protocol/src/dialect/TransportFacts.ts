/** The differences in how nodes of a dialect are connected. @spec 10 §3, §4, §9, 61 §16.1 */
export interface TransportFacts {
  /** Older versions of TLS are refused, at both ends. */
  readonly minTlsVersion: "TLSv1.2" | "TLSv1.3";
  /** Whether the common name of a certificate names its node beside alternative names, or only where there are none. */
  readonly commonNameAlwaysCounts: boolean;
  /** How long a message may take. @param networkTimeoutMs the configured limit for calls of discovery */
  readonly sendDeadlineMs: (networkTimeoutMs: number) => number;
  /** The maximum number of one peer's messages that may wait to be handled. */
  readonly inboundMessages: number;
  readonly inboundStreams: number;
  readonly upkeep: UpkeepFacts;
}

/** How silent peers are found and dropped. @spec 10 §4, 61 §16.1 */
export interface UpkeepFacts {
  /** Whether heartbeats go to all peers at the same time; otherwise to one after the other. */
  readonly asksTogether: boolean;
  /** Unanswered heartbeats in a row that end a connection. */
  readonly maxMissedBeats: number;
  /** Whether discovery forgets a dropped peer too; it never forgets the bootstrap. */
  readonly removesDropped: boolean;
}
