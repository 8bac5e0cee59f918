/** Whose answers a directory of vectors may hold. */
export const vectorDialects = ["rnode-scala", "rnode-rust"] as const;
