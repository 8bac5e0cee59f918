/**
 * Makes the base of an error class: `class LeafError extends errorClass("LeafError", sentence) {}`. Its `failure`
 * describes the error, as a union by `code`, each with its facts.
 *
 * The result has no type of its own: the declarations of the npm package then need nothing of this module.
 *
 * @param name identifies the class on another thread
 * @param sentence makes the message: what is wrong, where, and what to do
 */
/*@__NO_SIDE_EFFECTS__*/
export function errorClass<Name extends string, Failure extends object>(
  name: Name,
  sentence: (failure: Failure, cause: unknown) => string,
): new (
  failure: Failure,
  options?: ErrorOptions,
) => Error & { readonly name: Name; readonly failure: Failure } {
  return class extends Error {
    override readonly name = name;
    readonly failure: Failure;

    constructor(failure: Failure, options?: ErrorOptions) {
      super(sentence(failure, options?.cause), options?.cause === undefined ? undefined : options);
      this.failure = failure;
    }
  };
}
