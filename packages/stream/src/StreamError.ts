/** Why nothing can be published, or a message is none of ours. */
export type StreamFailure =
  | { readonly code: "unusable"; readonly server: string; readonly reason: string }
  | { readonly code: "otherStream"; readonly stream: string; readonly reason: string }
  | { readonly code: "messageWrong"; readonly subject: string; readonly reason: string }
  | { readonly code: "stateMissing"; readonly height: bigint; readonly reason: string }
  | { readonly code: "noLog"; readonly path: string };

/** Something is wrong with a stream; the message says what to do. */
export class StreamError extends Error {
  constructor(
    readonly failure: StreamFailure,
    options?: ErrorOptions,
  ) {
    super(sentence(failure), options);
    this.name = "StreamError";
  }
}

function sentence(failure: StreamFailure): string {
  switch (failure.code) {
    case "unusable":
      return `The NATS server ${failure.server} cannot be used: ${failure.reason}`;
    case "otherStream":
      return `The stream ${failure.stream} is not one of ours: ${failure.reason}; delete it, or give another --stream`;
    case "messageWrong":
      return `The message ${failure.subject} is wrong: ${failure.reason}`;
    case "stateMissing":
      return `The state after block #${failure.height} is not whole here (${failure.reason}); it may have been pruned: keep more states (storage.history), or begin the stream anew`;
    case "noLog":
      return `There are no events in ${failure.path} yet; publish once its node has started`;
  }
}
