/** Why events cannot be handed on. */
export type SinkFailure =
  /** It may pass: tried again. */
  | { readonly code: "notTaken"; readonly place: string; readonly reason: string }
  /** Nothing is gained by trying again. */
  | { readonly code: "refused"; readonly place: string; readonly reason: string }
  | { readonly code: "noteWrong"; readonly path: string; readonly reason: string }
  | { readonly code: "secretWrong"; readonly path: string; readonly reason: string };

/** Events cannot be handed on; the message says what to do. */
export class SinkError extends Error {
  constructor(
    readonly failure: SinkFailure,
    options?: ErrorOptions,
  ) {
    super(sentence(failure), options);
    this.name = "SinkError";
  }
}

function sentence(failure: SinkFailure): string {
  switch (failure.code) {
    case "notTaken":
      return `${failure.place} took nothing: ${failure.reason}`;
    case "refused":
      return `${failure.place} wants no events: ${failure.reason}`;
    case "noteWrong":
      return `${failure.path} does not tell how far the events are handed on (${failure.reason}); delete it, and say by --after where to begin`;
    case "secretWrong":
      return `${failure.path} has no secrets: ${failure.reason}`;
  }
}
