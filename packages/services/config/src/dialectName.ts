/** The dialects of networks that a node can join, by their names in the configuration. @spec 50 §5.3, 61 */
export const dialectNames = ["rnode", "f1r3node"] as const;

/** A dialect by its name in the configuration. */
export type DialectName = (typeof dialectNames)[number];

/** Names of earlier versions; files, options and scripts may still use them. */
const formerNames: Readonly<Record<string, DialectName>> = { "rnode-scala": "rnode", "rnode-rust": "f1r3node" };

/**
 * Finds a dialect by its name or by its name in earlier versions.
 *
 * @returns `undefined` if there is no such dialect
 */
export function findDialectName(name: unknown): DialectName | undefined {
  if (typeof name !== "string") return undefined;
  return (
    dialectNames.find((known) => known === name) ?? (Object.hasOwn(formerNames, name) ? formerNames[name] : undefined)
  );
}
