import type { TSchema, TUnsafe } from "typebox";
import * as Type from "typebox";

/** The options of a value beside its type. */
export interface ScalarOptions {
  readonly description?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: unknown;
}

/** A signed integer of 64 bits: a `bigint` in the program, a number (or, in requests, a decimal text) in JSON. @spec 50 §1.6 */
export function int64(options: ScalarOptions = {}): TUnsafe<bigint> {
  return Type.Unsafe<bigint>({ type: "integer", format: "int64", ...options });
}

/**
 * An amount of 64 bits: a `bigint` in the program, a decimal text in JSON, so that no reader rounds it. Where it is read
 * it may also be a number, as nodes of earlier versions print it.
 *
 * @spec 50 §1.6
 */
export function amount64(options: Pick<ScalarOptions, "description"> = {}): TUnsafe<bigint> {
  return Type.Unsafe<bigint>({ type: "string", format: "int64", pattern: "^-?[0-9]{1,19}$", ...options });
}

/** A signed integer of 32 bits. @spec 50 §1.6 */
export function int32(options: ScalarOptions = {}) {
  return Type.Integer({ format: "int32", ...options });
}

/** The fault tolerance: a 32-bit float, always with a decimal point. @spec 50 §1.6 */
export function float32(options: ScalarOptions = {}) {
  return Type.Number({ format: "float", ...options });
}

/** Bytes as an even number of hex digits. @param bytes exact length, where there is one */
export function hexBytes(bytes?: number, description?: string) {
  const pattern = bytes === undefined ? "^([0-9a-fA-F]{2})*$" : `^[0-9a-fA-F]{${bytes * 2}}$`;
  return Type.String(description === undefined ? { pattern } : { pattern, description });
}

/** A value that may be `null`. */
export function orNull<T extends TSchema>(schema: T) {
  return Type.Union([schema, Type.Null()]);
}

/** A schema that documents show once, under this name; inside it `Type.Ref(name)` is the schema itself. */
export function named<T extends TSchema>(name: string, schema: T): T {
  return Object.assign(schema, { title: name });
}

/** A member that had another name before: answers of earlier nodes are read as well. Documents do not show it. */
export function renamed<T extends TSchema>(earlierName: string, schema: T): T {
  return Object.assign(schema, { "~earlierName": earlierName });
}
