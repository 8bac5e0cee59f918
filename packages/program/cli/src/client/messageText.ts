import { type DescField, type DescMessage, type Message, type MessageShape, ScalarType } from "@bufbuild/protobuf";
import { JsonFloat, printJson } from "@vedette/api";
import { isControl, type Paint } from "@vedette/terminal";
import { fieldOf } from "./messageJson.js";

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
export function paintedMessage(text: string, paint: Paint): string {
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
  // What a node says must not drive the terminal: control characters are shown, not obeyed.
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
