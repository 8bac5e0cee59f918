/** The groups within which events stay in order: all of a chain, those of a deploy, or those of a deployer. */
export const orderings = ["chain", "deploy", "deployer"] as const;
export type Ordering = (typeof orderings)[number];

/** How a user is known to Kafka. */
export const saslMechanisms = ["PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"] as const;
