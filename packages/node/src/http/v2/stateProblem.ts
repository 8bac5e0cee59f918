import { type StateQueryError, StateQueryError as StateQueryFailed } from "../../query/StateQueryError.js";
import { Problem } from "../Problem.js";

const soonSeconds = 1;
const laterSeconds = 10;

/** Tells a refused question as a problem. @param part where its fields stand: `query`, `body` @throws {Problem} */
export async function tellingProblems<T>(part: "query" | "body", answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof StateQueryFailed) throw problemOf(error, part);
    throw error;
  }
}

function problemOf(error: StateQueryError, part: "query" | "body"): Problem {
  const { failure, message } = error;
  switch (failure.code) {
    case "badRequest":
      return new Problem(message, { field: placed(failure.field, part), cause: error });
    case "unknownBlock":
    case "noState":
      return new Problem(message, { status: 404, field: placed(failure.field, part), cause: error });
    case "notAllowed":
      return new Problem(message, { status: 403, cause: error });
    case "tooMany":
      return new Problem(message, { status: 429, retryAfterSeconds: soonSeconds, cause: error });
    case "notRunning":
      return new Problem(message, { status: 503, retryAfterSeconds: laterSeconds, cause: error });
    case "busy":
    case "gaveUp":
      return new Problem(message, { status: 503, retryAfterSeconds: soonSeconds, cause: error });
  }
}

function placed(field: string, part: string): string {
  return field === "root" ? "params.root" : `${part}.${field}`;
}
