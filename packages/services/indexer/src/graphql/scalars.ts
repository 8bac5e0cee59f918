import { type JsonInput, JsonNumber, parseJson } from "@vedette/api";
import { GraphQLError, GraphQLScalarType, Kind, type ValueNode } from "graphql";
import type { ReadRow } from "../database/IndexReader.js";
import type { Column, IndexTable } from "../schema/IndexTable.js";
import { unitsInToken } from "../schema/IndexTable.js";

const integer = /^-?\d{1,30}$/;
const decimal = /^-?\d{1,30}(\.\d{1,30})?$/;

/** An integer of 64 bits: given as text; taken as text or number. */
export const bigintScalar = new GraphQLScalarType({
  name: "bigint",
  description: "An integer of 64 bits. Answers have it as text.",
  serialize: String,
  parseValue: (value) => integerOf(value),
  parseLiteral: (node) => integerOf(textOf(node)),
});

/** A number with digits after the point: given as text; taken as text or number. */
export const numericScalar = new GraphQLScalarType({
  name: "numeric",
  description: "A number. Answers have it as text.",
  serialize: String,
  parseValue: (value) => decimalOf(value),
  parseLiteral: (node) => decimalOf(textOf(node)),
});

/** A time in UTC, without a zone mark. */
export const timestampScalar = timeScalar("timestamp", "A time in UTC, as `2026-01-31T12:00:00`.", (iso) =>
  iso.slice(0, -1),
);

/** A time with its zone. */
export const timestamptzScalar = timeScalar("timestamptz", "A time, as `2026-01-31T12:00:00+00:00`.", (iso) =>
  iso.replace(/\.\d+Z$/, "+00:00"),
);

/** JSON as it is stored. */
export const jsonbScalar = new GraphQLScalarType({
  name: "jsonb",
  description: "JSON. Integers beyond 2^53 are texts.",
  serialize: (value) => (typeof value === "string" ? jsonWithoutLoss(value) : value),
});

/** A number that is read as a float would be another one. */
function jsonWithoutLoss(text: string): unknown {
  return /\d{16}/.test(text) ? plainJson(parseJson(text)) : JSON.parse(text);
}

function plainJson(value: JsonInput | undefined): unknown {
  if (value instanceof JsonNumber) return numberOf(value.text);
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, member]) => [key, plainJson(member)]));
  return Array.isArray(value) ? value.map(plainJson) : value;
}

function numberOf(text: string): number | string {
  return Number.isSafeInteger(Number(text)) || !integer.test(text) ? Number(text) : text;
}

function timeScalar(name: string, description: string, print: (iso: string) => string): GraphQLScalarType {
  const read = (value: unknown) => {
    const text = typeof value === "string" ? value : "";
    const time = Date.parse(/([zZ]|[+-]\d\d(:?\d\d)?)$/.test(text) || !text.includes("T") ? text : `${text}Z`);
    if (Number.isNaN(time)) throw new GraphQLError(`${name} must be a time, as "2026-01-31T12:00:00Z".`);
    return print(new Date(time).toISOString());
  };
  return new GraphQLScalarType({
    ...{ name, description },
    serialize: String,
    parseValue: read,
    parseLiteral: (node) => read(textOf(node)),
  });
}

function integerOf(value: unknown): bigint {
  const text = typeof value === "number" && Number.isInteger(value) ? String(value) : value;
  if (typeof text === "string" && integer.test(text)) {
    const read = BigInt(text);
    if (BigInt.asIntN(64, read) === read) return read;
  }
  throw new GraphQLError("bigint must be an integer of 64 bits, as number or text.");
}

function decimalOf(value: unknown): string {
  const text = typeof value === "number" && Number.isFinite(value) ? plainText(value) : value;
  if (typeof text !== "string" || !decimal.test(text)) throw new GraphQLError("numeric must be a number.");
  return text;
}

/** Without an exponent. */
function plainText(value: number): string {
  const text = String(value);
  return /e/.test(text) ? value.toFixed(20).replace(/\.?0+$/, "") : text;
}

function textOf(node: ValueNode): unknown {
  return node.kind === Kind.INT || node.kind === Kind.FLOAT || node.kind === Kind.STRING ? node.value : undefined;
}

/** Dust as tokens. */
export function tokensText(dust: bigint): string {
  const size = dust < 0n ? -dust : dust;
  const digits = String(size % unitsInToken).padStart(8, "0");
  return `${dust < 0n ? "-" : ""}${size / unitsInToken}.${digits}`;
}

/** Tokens in dust, and whether dust expresses them without a rest. @param text a decimal number */
export function dustOf(text: string): { readonly dust: bigint; readonly isExact: boolean } {
  const [whole = "0", part = ""] = text.replace("-", "").split(".");
  const size = BigInt(whole) * unitsInToken + BigInt(part.slice(0, 8).padEnd(8, "0"));
  const isExact = /^0*$/.test(part.slice(8));
  if (!text.startsWith("-")) return { dust: size, isExact };
  return { dust: isExact ? -size : -size - 1n, isExact };
}

/** A cell as it is answered. */
export function shown(row: ReadRow, name: string, { columns }: IndexTable): unknown {
  const column = columns[name];
  if (column === undefined) return null;
  const value = row[column.unitsOf ?? name];
  if (value === null || value === undefined) return null;
  if (column.unitsOf !== undefined) return tokensText(BigInt(value as bigint));
  return shownValue(value, column.type);
}

/** A value of a column as it is answered. */
export function shownValue(value: unknown, type: Column["type"]): unknown {
  if (type === "Boolean") return value === true || value === 1n || value === 1;
  if (type === "Int") return Number(value);
  return value;
}
