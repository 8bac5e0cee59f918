import { type DescField, type DescMessage, type Message, type MessageShape, ScalarType } from "@bufbuild/protobuf";
import { JsonFloat, type JsonValue, rhoExprOf } from "@vedette/api";
import { type Par, ParSchema, parOfMessage } from "@vedette/api/grpc";
import { toHex } from "@vedette/crypto";

/** Encodes a message of the API as the HTTP API does: all fields in order, 64-bit integers in full. @spec 50 §1.6 */
export function messageJson<D extends DescMessage>(schema: D, message: MessageShape<D>): JsonValue {
  if (schema.typeName === ParSchema.typeName) return rhoExprOf(parOfMessage(message as Message as Par)) ?? null;
  const json: Record<string, JsonValue> = {};
  for (const field of schema.fields) json[field.localName] = fieldJson(field, fieldOf(message, field));
  return json;
}

/** The value of a message's field. */
export function fieldOf(message: Message, field: DescField): unknown {
  return (message as unknown as Readonly<Record<string, unknown>>)[field.localName];
}

function fieldJson(field: DescField, value: unknown): JsonValue {
  if (value === undefined) return null;
  if (field.fieldKind !== "list") return itemJson(field, value);
  return (value as unknown[]).map((item) => itemJson(field, item));
}

function itemJson(field: DescField, value: unknown): JsonValue {
  if (field.message !== undefined) return messageJson(field.message, value as Message);
  if (field.scalar === ScalarType.BYTES) return toHex(value as Uint8Array);
  if (field.scalar === ScalarType.FLOAT) return new JsonFloat(value as number);
  return value as JsonValue;
}
