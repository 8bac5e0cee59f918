/** The dialects of networks that a node can join, by their names in the configuration. @spec 50 §5.3, 61 */
export const dialectNames = ["rnode-scala", "rnode-rust"] as const;

/** A dialect by its name in the configuration. */
export type DialectName = (typeof dialectNames)[number];
