export type PrintFailure = { readonly code: "tooDeep" };

/** A term that cannot be printed. @spec 20 §12 */
export class PrintError extends Error {
  override readonly name = "PrintError";

  constructor(
    readonly failure: PrintFailure,
    options?: ErrorOptions,
  ) {
    super("Term is nested too deeply to be printed", options);
  }
}
