/**
 * What a reader knows of a block. A reader may be behind who writes, so that "not known yet" is another value than
 * "there is none": who keeps answers keeps the last two alone, and asks again after the first.
 */
export type Told<T> =
  /** Neither what executing the block has shown nor the state that it leads to is seen: they may still be written. */
  | { readonly kind: "notYet" }
  | { readonly kind: "told"; readonly value: T }
  /** It is not known here, and nothing that is still to be written changes that. */
  | { readonly kind: "never" };

/** The value, for whom it makes no difference why there is none now. */
export function renderedValue<T>(told: Told<T> | undefined): T | undefined {
  return told?.kind === "told" ? told.value : undefined;
}
