/** What differs in how nodes of a dialect are connected. @spec 10 §3, §4, §9, 61 §16.1 */
export interface TransportFacts {
  /** Older versions of TLS are refused, at both ends. */
  readonly minTlsVersion: "TLSv1.2" | "TLSv1.3";
  /** Whether the common name of a certificate names its node beside alternative names, or only where there are none. */
  readonly commonNameAlwaysCounts: boolean;
  /** How long a message may take. @param networkTimeoutMs what is configured for calls of discovery */
  readonly sendDeadlineMs: (networkTimeoutMs: number) => number;
  /** What of one peer may wait to be handled. */
  readonly inboundMessages: number;
  readonly inboundStreams: number;
  readonly upkeep: UpkeepFacts;
}

/** How peers that have fallen silent are found, and what becomes of them. @spec 10 §4, 61 §16.1 */
export interface UpkeepFacts {
  /** Peers are asked for a sign of life all at the same time; else one after the other. */
  readonly asksTogether: boolean;
  /** So many questions in a row without an answer end a connection. */
  readonly maxMissedBeats: number;
  /** Who is dropped is forgotten by discovery, too; the bootstrap never is. */
  readonly removesDropped: boolean;
}
