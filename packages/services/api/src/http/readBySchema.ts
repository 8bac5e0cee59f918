import type { Static, TSchema } from "typebox";
import { type JsonInput, JsonNumber } from "../json/parseJson.js";

/** A value does not fit its schema. */
export class SchemaError extends Error {
  /** Where: `data.term`, `names[3]`; empty for the value as a whole. */
  readonly field: string;

  constructor(field: string, message: string) {
    super(message);
    this.name = "SchemaError";
    this.field = field;
  }
}

/** The treatment of members that a schema does not name. */
export type ExtraMembers = "ignore" | "refuse";

/**
 * Reads a JSON value by a schema: 64-bit integers as `bigint`, which may also be given as decimal texts.
 *
 * Knows the keywords that our contracts use, each with its meaning in JSON Schema 2020-12.
 *
 * @spec 50 §1.6
 * @throws {SchemaError} with the place
 */
export function readBySchema<T extends TSchema>(
  schema: T,
  value: JsonInput | undefined,
  extra: ExtraMembers,
): Static<T> {
  const reader = new SchemaReader(schema as Keywords, extra);
  return reader.read(schema as Keywords, value, "") as Static<T>;
}

/** The part of JSON Schema that is understood. */
export interface Keywords {
  readonly title?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Keywords[];
  readonly $ref?: string;
  readonly properties?: { readonly [name: string]: Keywords };
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Keywords;
  readonly patternProperties?: { readonly [pattern: string]: Keywords };
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly items?: Keywords;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: unknown;
  /** The name that the member has in answers of earlier versions. */
  readonly "~earlierName"?: string;
}

/** Every schema with a name inside a schema. */
function namedSchemas(schema: Keywords, into = new Map<string, Keywords>()): ReadonlyMap<string, Keywords> {
  if (schema.title !== undefined) {
    if (into.has(schema.title)) return into;
    into.set(schema.title, schema);
  }
  for (const inner of innerSchemas(schema)) namedSchemas(inner, into);
  return into;
}

/** The schemas of what is in values of a schema. */
export function innerSchemas(schema: Keywords): Keywords[] {
  const { anyOf = [], properties = {}, patternProperties = {}, items, additionalProperties } = schema;
  const inner = [...anyOf, ...Object.values(properties), ...Object.values(patternProperties)];
  if (items !== undefined) inner.push(items);
  if (typeof additionalProperties === "object") inner.push(additionalProperties);
  return inner;
}

const patterns = new Map<string, RegExp>();

/** Patterns come from contracts, never from outside. */
function patternOf(source: string): RegExp {
  const known = patterns.get(source);
  if (known !== undefined) return known;
  const pattern = new RegExp(source, "u");
  patterns.set(source, pattern);
  return pattern;
}

class SchemaReader {
  readonly #root: Keywords;
  readonly #extra: ExtraMembers;
  #named: ReadonlyMap<string, Keywords> | undefined;

  constructor(root: Keywords, extra: ExtraMembers) {
    this.#root = root;
    this.#extra = extra;
  }

  read(schema: Keywords, value: JsonInput | undefined, at: string): unknown {
    if (value === undefined) throw new SchemaError(at, "is missing");
    if (schema.$ref !== undefined) return this.read(this.#target(schema.$ref), value, at);
    if (schema.anyOf !== undefined) return this.#readOneOf(schema.anyOf, value, at);
    if (schema.const !== undefined) return readConst([schema.const], value, at);
    if (schema.enum !== undefined) return readConst(schema.enum, value, at);
    switch (schema.type) {
      case "object":
        return this.#readObject(schema, value, at);
      case "array":
        return this.#readArray(schema, value, at);
      case "string":
        return schema.format === "int64" ? readInteger(schema, value, at) : readText(schema, value, at);
      case "integer":
        return readInteger(schema, value, at);
      case "number":
        return readNumber(schema, value, at);
      case "boolean":
        if (typeof value !== "boolean") throw new SchemaError(at, "must be true or false");
        return value;
      case "null":
        if (value !== null) throw new SchemaError(at, "must be null");
        return value;
      default:
        return value;
    }
  }

  #target(name: string): Keywords {
    this.#named ??= namedSchemas(this.#root);
    const target = this.#named.get(name);
    if (target === undefined) throw new TypeError(`The contract refers to ${name}, which it does not contain`);
    return target;
  }

  /** Reads by the first schema that fits. Where objects name their kind (`const`), errors come from the named one. */
  #readOneOf(schemas: readonly Keywords[], value: JsonInput, at: string): unknown {
    // To throw costs more than to read: what is not meant is not tried, unless what is meant does not fit.
    const meant = schemas.filter((schema) => mayBeMeant(schema, value));
    if (meant.length > 0 && meant.length < schemas.length) {
      try {
        return this.#readFirst(meant, value, at);
      } catch (error) {
        if (!(error instanceof SchemaError)) throw error;
      }
    }
    return this.#readFirst(schemas, value, at);
  }

  #readFirst(schemas: readonly Keywords[], value: JsonInput, at: string): unknown {
    let deepest: SchemaError | undefined;
    for (const schema of schemas) {
      try {
        return this.read(schema, value, at);
      } catch (error) {
        if (!(error instanceof SchemaError)) throw error;
        if (deepest === undefined || error.field.length > deepest.field.length) deepest = error;
      }
    }
    throw deepest !== undefined && deepest.field.length > at.length
      ? deepest
      : new SchemaError(at, "is of none of the kinds that are allowed here");
  }

  #readObject(schema: Keywords, value: JsonInput, at: string): unknown {
    if (!(value instanceof Map)) throw new SchemaError(at, "must be an object");
    checkCount([schema.minProperties, schema.maxProperties], value.size, at, "members");
    const { properties = {}, required = [] } = schema;
    const read: { [name: string]: unknown } = Object.create(null);
    for (const [name, inner] of Object.entries(properties)) {
      const earlier = inner["~earlierName"];
      const given = value.has(name) || earlier === undefined ? value.get(name) : value.get(earlier);
      if (given !== undefined) read[name] = this.read(inner, given, memberOf(at, name));
      else if (required.includes(name)) throw new SchemaError(memberOf(at, name), "is missing");
      else if (inner.default !== undefined) read[name] = inner.default;
    }
    this.#readOthers(schema, value, at, read);
    return read;
  }

  /** Reads the members that the schema does not name. */
  #readOthers(schema: Keywords, value: ReadonlyMap<string, JsonInput>, at: string, read: { [name: string]: unknown }) {
    const { properties = {}, additionalProperties, patternProperties } = schema;
    const others =
      typeof additionalProperties === "object" ? additionalProperties : Object.values(patternProperties ?? {})[0];
    for (const [name, given] of value) {
      if (Object.hasOwn(properties, name)) continue;
      if (others !== undefined) read[name] = this.read(others, given, memberOf(at, name));
      else if (this.#extra === "refuse" || additionalProperties === false)
        throw new SchemaError(memberOf(at, name), `is not known here${suggestion(Object.keys(properties))}`);
    }
  }

  #readArray(schema: Keywords, value: JsonInput, at: string): unknown[] {
    if (!isList(value)) throw new SchemaError(at, "must be an array");
    checkCount([schema.minItems, schema.maxItems], value.length, at, "items");
    const items = schema.items;
    return items === undefined ? [...value] : value.map((item, index) => this.read(items, item, `${at}[${index}]`));
  }
}

/** Whether a value may match a schema, judged by its kind and by the members that distinguish kinds. */
function mayBeMeant({ type, required = [], properties = {} }: Keywords, value: JsonInput): boolean {
  if (type === "null") return value === null;
  if (type !== "object") return true;
  if (!(value instanceof Map)) return false;
  return required.every((name) => {
    const given: JsonInput | undefined = value.get(name);
    const expected = properties[name]?.const;
    return given !== undefined && (typeof expected !== "string" || expected === given);
  });
}

function suggestion(names: readonly string[]): string {
  return names.length === 0 ? "" : `; known are ${names.join(", ")}`;
}

function isList(value: JsonInput): value is readonly JsonInput[] {
  return Array.isArray(value);
}

/** Names a member in an error; long names are cut short. */
function memberOf(at: string, name: string): string {
  const short = name.length > 64 ? `${name.slice(0, 64)}…` : name;
  return at === "" ? short : `${at}.${short}`;
}

function checkCount(
  [min, max]: readonly [number | undefined, number | undefined],
  count: number,
  at: string,
  what: string,
): void {
  if (min !== undefined && count < min) throw new SchemaError(at, `must have at least ${min} ${what}`);
  if (max !== undefined && count > max) throw new SchemaError(at, `must have at most ${max} ${what}`);
}

function readConst(allowed: readonly unknown[], value: JsonInput, at: string): unknown {
  const plain = value instanceof JsonNumber ? Number(value.text) : value;
  if (allowed.includes(plain)) return plain;
  throw new SchemaError(at, `must be ${allowed.map((one) => JSON.stringify(one)).join(" or ")}`);
}

function readText(schema: Keywords, value: JsonInput, at: string): string {
  if (typeof value !== "string") throw new SchemaError(at, "must be a text");
  checkCount([schema.minLength, schema.maxLength], value.length, at, "characters");
  if (schema.pattern !== undefined && !patternOf(schema.pattern).test(value))
    throw new SchemaError(at, wordsOfPattern(schema.pattern));
  return value;
}

/** Our patterns are mostly hex. */
function wordsOfPattern(pattern: string): string {
  const exact = /^\^\[0-9a-fA-F\]\{(\d+)\}\$$/.exec(pattern);
  if (exact !== null) return `must be ${exact[1]} hex digits`;
  if (pattern === "^([0-9a-fA-F]{2})*$") return "must be an even number of hex digits";
  return `must have the form ${pattern}`;
}

function readInteger(schema: Keywords, value: JsonInput, at: string): number | bigint {
  const bits = schema.format === "int64" ? 64 : 32;
  const text = value instanceof JsonNumber ? value.text : value;
  const read = typeof text === "string" ? integerOf(text) : undefined;
  if (read === undefined) throw new SchemaError(at, "must be an integer");
  if (BigInt.asIntN(bits, read) !== read) throw new SchemaError(at, `must be an integer of ${bits} bits`);
  checkRange(schema, Number(read), at);
  return bits === 64 ? read : Number(read);
}

function readNumber(schema: Keywords, value: JsonInput, at: string): number {
  if (!(value instanceof JsonNumber)) throw new SchemaError(at, "must be a number");
  const read = Number(value.text);
  checkRange(schema, read, at);
  return read;
}

function checkRange({ minimum, maximum }: Keywords, value: number, at: string): void {
  if (minimum !== undefined && value < minimum) throw new SchemaError(at, `must be at least ${minimum}`);
  if (maximum !== undefined && value > maximum) throw new SchemaError(at, `must be at most ${maximum}`);
}

/** A decimal number without a fraction, also when it is written with one or with an exponent. @spec 50 §1.6 */
export function integerOf(text: string): bigint | undefined {
  const parts = /^(-?)(\d{1,40})(?:\.(\d{1,40}))?(?:[eE]([+-]?\d{1,3}))?$/.exec(text);
  if (parts === null) return undefined;
  const [, sign, whole, fraction = "", exponent = "0"] = parts;
  const shift = Number(exponent) - fraction.length;
  if (shift > 40) return undefined;
  const digits = BigInt(`${whole}${fraction}`);
  const scale = 10n ** BigInt(Math.abs(shift));
  if (shift < 0 && digits % scale !== 0n) return undefined;
  const magnitude = shift < 0 ? digits / scale : digits * scale;
  return sign === "-" ? -magnitude : magnitude;
}
