import { Problem, StateQueryError } from "@vedette/queries";

const soonSeconds = 1;
const laterSeconds = 10;

/** Maps errors of state queries to f1r3node's words. @throws {Problem} @spec 50 §1.14, §10.5 */
export async function mapToF1r3nodeProblem<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw error instanceof StateQueryError ? problemOf(error) : error;
  }
}

function problemOf(cause: StateQueryError): Problem {
  const { message } = cause;
  switch (cause.failure.code) {
    case "badRequest":
      return new Problem(message, { kind: "invalid_hash", cause });
    case "unknownBlock":
    case "noState":
      return new Problem(message, { status: 404, kind: "block_not_found", cause });
    case "notAllowed":
      return new Problem(message, { kind: "readonly_node_required", cause });
    case "notRunning":
      return new Problem(message, { status: 503, kind: "runtime_error", retryAfterSeconds: laterSeconds, cause });
    case "tooMany":
      return new Problem(message, { status: 429, kind: "observer_busy", retryAfterSeconds: soonSeconds, cause });
    case "busy":
    case "gaveUp":
      return new Problem(message, { status: 503, kind: "observer_busy", retryAfterSeconds: soonSeconds, cause });
  }
}
