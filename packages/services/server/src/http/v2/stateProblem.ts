import { Problem, type StateQueryError, StateQueryError as StateQueryFailed } from "@vedette/queries";

const soonSeconds = 1;
const laterSeconds = 10;

/**
 * Maps a refused state query to a problem.
 *
 * @param place the part of the request that contains the fields, or a function from a field to its part
 * @throws {Problem}
 */
export async function mapToProblem<T>(
  place: "query" | "body" | ((field: string) => string),
  answer: Promise<T>,
): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof StateQueryFailed)) throw error;
    throw problemOf(error, typeof place === "string" ? (field) => `${place}.${field}` : place);
  }
}

function problemOf(error: StateQueryError, place: (field: string) => string): Problem {
  const { failure, message } = error;
  switch (failure.code) {
    case "badRequest": {
      const field = place(failure.field);
      return new Problem(`${field} ${failure.problem}.`, { field, cause: error });
    }
    case "unknownBlock":
    case "noState":
      return new Problem(message, { status: 404, field: place(failure.field), cause: error });
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
