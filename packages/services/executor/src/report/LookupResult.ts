/**
 * The result of a reader's look-up of a block. A reader may lag behind the writer, so that "not known yet" differs from
 * "never": callers may keep the other two results, and try again after "not yet".
 */
export type LookupResult<T> =
  /** Neither what executing the block has shown nor the state that it leads to is seen: they may still be written. */
  | { readonly kind: "notYet" }
  | { readonly kind: "found"; readonly value: T }
  /** It is not known here, and nothing that is still to be written changes that. */
  | { readonly kind: "never" };

/** Returns the value; `undefined` covers both "not yet" and "never". */
export function foundValue<T>(result: LookupResult<T> | undefined): T | undefined {
  return result?.kind === "found" ? result.value : undefined;
}
