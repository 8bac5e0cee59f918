import { type DescField, type DescMessage, type Message, type MessageShape, ScalarType } from "@bufbuild/protobuf";
import { JsonFloat, type JsonValue, printJson, rhoExprOf } from "@vedette/api";
import { type Par, ParSchema, parOfMessage } from "@vedette/api/grpc";
import { toHex } from "@vedette/crypto";
import { isControl, type Paint } from "@vedette/terminal";
import type { CommandAnswer } from "./CommandAnswer.js";

/** The answer that a message is: in rnode's form, on a terminal with colours. @spec 50 §5.6 */
export function messageAnswer<D extends DescMessage>(schema: D, message: MessageShape<D>): CommandAnswer {
  const text = messageText(schema, message);
  return { text, painted: (paint) => paintedMessage(text, paint), json: messageJson(schema, message) };
}

/** A message in protobuf's text format: default values omitted, messages indented by two. @spec 50 §5.6 */
export function messageText<D extends DescMessage>(schema: D, message: MessageShape<D>, indent = ""): string {
  const lines: string[] = [];
  for (const field of schema.fields) {
    const value = fieldOf(message, field);
    const items = field.fieldKind === "list" ? (value as unknown[]) : isDefault(value) ? [] : [value];
    for (const item of items) lines.push(...fieldLines(field, item, indent));
  }
  return lines.join("\n");
}

/** A message's text with its fields' names set off, for a terminal; nothing in it drives one. */
function paintedMessage(text: string, paint: Paint): string {
  return text.replaceAll(fieldName, (_all, indent: string, name: string) => `${indent}${paint("cyan", name)}`);
}

/** At the beginning of a line: line ends within texts are escaped. */
const fieldName = /^( *)(\w+)(?=: | \{$)/gm;

function fieldLines(field: DescField, item: unknown, indent: string): string[] {
  if (field.message === undefined) return [`${indent}${field.name}: ${scalarText(field, item)}`];
  const body = messageText(field.message, item as Message, `${indent}  `);
  return [`${indent}${field.name} {`, ...(body === "" ? [] : [body]), `${indent}}`];
}

function isDefault(value: unknown): boolean {
  if (value instanceof Uint8Array) return value.length === 0;
  return value === undefined || value === "" || value === 0 || value === 0n || value === false;
}

function scalarText(field: DescField, value: unknown): string {
  if (value instanceof Uint8Array) return `"${bytesText(value)}"`;
  if (typeof value === "string") return `"${escapeText(value)}"`;
  return field.scalar === ScalarType.FLOAT ? printJson(new JsonFloat(value as number)) : String(value);
}

const escapes: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t", '"': '\\"', "\\": "\\\\" };

function escapeText(text: string): string {
  let escaped = "";
  // A node's text must not drive the terminal: control characters are shown, not obeyed.
  for (const character of text) {
    const code = character.charCodeAt(0);
    escaped += escapes[character] ?? (isControl(code) ? octal(code) : character);
  }
  return escaped;
}

function bytesText(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += byte >= 0x80 ? octal(byte) : escapeText(String.fromCharCode(byte));
  return text;
}

function octal(code: number): string {
  return `\\${code.toString(8).padStart(3, "0")}`;
}

/** Encodes a message of the API as the HTTP API does: all fields in order, 64-bit integers in full. @spec 50 §1.6 */
export function messageJson<D extends DescMessage>(schema: D, message: MessageShape<D>): JsonValue {
  if (schema.typeName === ParSchema.typeName) return rhoExprOf(parOfMessage(message as Message as Par)) ?? null;
  const json: Record<string, JsonValue> = {};
  for (const field of schema.fields) json[field.localName] = fieldJson(field, fieldOf(message, field));
  return json;
}

/** The value of a message's field. */
function fieldOf(message: Message, field: DescField): unknown {
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
