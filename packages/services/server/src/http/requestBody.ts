import {
  type ExtraMembers,
  type JsonInput,
  parseJson,
  printIndented,
  readBySchema,
  SchemaError,
  type Static,
  type TSchema,
} from "@vedette/api";
import { ApiError, type ApiErrorKind } from "@vedette/queries";

/** A body that cannot be read. @spec 50 §1.3, §1.10 */
export class BodyError extends ApiError {
  /** The text of the versioned API. */
  readonly wholeText: string;

  constructor(message: string, { wholeText = message, kind = "refusal" as ApiErrorKind } = {}) {
    super(message, { kind });
    this.name = "BodyError";
    this.wholeText = wholeText;
  }
}

/** In a body: many more than any route has use for, few enough to be read in a moment. */
const maxValues = 20_000;
/** Longest text of an error, before the dots that always follow. @spec 50 §1.3 */
const longestText = 250;
/** Ours, for the versioned API, where rnode has no bound. */
const longestWholeText = 10_000;

/**
 * Reads a JSON body by its schema.
 *
 * @spec 50 §1.3, §1.6
 * @throws {BodyError} when it is no JSON, in rnode's words
 * @throws {SchemaError} when it is of another form
 */
export function readJsonBody<T extends TSchema>(schema: T, body: unknown, extra: ExtraMembers): Static<T> {
  return readBySchema(schema, parseBody(body), extra);
}

/** As {@link readJsonBody}, with rnode's refusal of another form. @throws {BodyError} @spec 50 §1.3 */
export function readReferenceBody<T extends TSchema>(schema: T, body: unknown): Static<T> {
  const json = parseBody(body);
  try {
    return readBySchema(schema, json, "ignore");
  } catch (error) {
    if (!(error instanceof SchemaError)) throw error;
    const text = `Invalid message body: Could not decode JSON: ${printIndented(json, longestWholeText)}`;
    throw new BodyError(`${text.slice(0, longestText)}...`, { wholeText: text.slice(0, longestWholeText) });
  }
}

function parseBody(body: unknown): JsonInput {
  if (typeof body !== "string" || body === "")
    throw new BodyError("Malformed message body: Invalid JSON: empty body", { kind: "exception" });
  const json = parseJson(body, maxValues);
  if (json === undefined) throw new BodyError("Malformed message body: Invalid JSON", { kind: "exception" });
  return json;
}
