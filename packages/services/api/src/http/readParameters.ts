import type { Static, TSchema } from "typebox";
import type { JsonInput } from "../json/parseJson.js";
import { type ExtraMembers, type Keywords, readBySchema } from "./readBySchema.js";

/**
 * Reads the parameters of a path or of a query, which are all texts: `true` and `false` are flags where a flag is
 * expected, one text is a list of one where a list is expected.
 *
 * @throws {SchemaError} with the parameter's name
 */
export function readParameters<T extends TSchema>(
  schema: T,
  given: { readonly [name: string]: unknown },
  extra: ExtraMembers,
): Static<T> {
  const { properties = {} } = schema as Keywords;
  const members = new Map<string, JsonInput>();
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue;
    const expected = Object.hasOwn(properties, name) ? properties[name] : undefined;
    members.set(name, Array.isArray(value) ? value.map((one) => asJson(one, expected?.items)) : oneOf(value, expected));
  }
  return readBySchema(schema, members, extra);
}

function oneOf(value: unknown, expected: Keywords | undefined): JsonInput {
  return expected?.type === "array" ? [asJson(value, expected.items)] : asJson(value, expected);
}

function asJson(value: unknown, expected: Keywords | undefined): JsonInput {
  const text = String(value);
  if (expected?.type === "boolean" && (text === "true" || text === "false")) return text === "true";
  // As a JSON number an integer may have an exponent; here it may not.
  if (expected?.type === "integer" && !/^-?\d{1,40}$/.test(text)) return null;
  return text;
}
