import { isRhoNumber, type RhoNumber } from "./RhoNumber.js";
import { checkDepth, RhoPar, RhoTuple, RhoUnforgeable, RhoUri, requireInt64, requireText } from "./RhoValue.js";
import { ValueError } from "./ValueError.js";

/** Makes the result for each kind of value; parts of a collection come already made. */
export interface ValueVisitor<Made> {
  nil(): Made;
  bool(value: boolean): Made;
  int(value: bigint): Made;
  number(value: RhoNumber): Made;
  text(value: string): Made;
  bytes(value: Uint8Array): Made;
  uri(value: string): Made;
  unforgeable(value: RhoUnforgeable): Made;
  tuple(items: readonly Made[]): Made;
  list(items: readonly Made[]): Made;
  set(items: readonly Made[]): Made;
  map(entries: readonly (readonly [key: Made, value: Made])[], keys: readonly unknown[]): Made;
  par(items: readonly Made[]): Made;
}

/**
 * Calls the visitor's method for a value's kind, with the value's content.
 *
 * @throws {ValueError} for what is no value
 */
export function visitValue<Made>(value: unknown, visitor: ValueVisitor<Made>, depth = 0): Made {
  checkDepth(depth);
  switch (typeof value) {
    case "boolean":
      return visitor.bool(value);
    case "bigint":
    case "number":
      return visitor.int(requireInt64(value));
    case "string":
      return visitor.text(requireText(value));
    case "object":
      return value === null ? visitor.nil() : visitObject(value, visitor, depth);
    default:
      throw new ValueError({ code: "notValue", what: `a ${typeof value}` });
  }
}

function visitObject<Made>(value: object, visitor: ValueVisitor<Made>, depth: number): Made {
  const made = (items: Iterable<unknown>): Made[] => {
    const all: Made[] = [];
    for (const item of items) all.push(visitValue(item, visitor, depth + 1));
    return all;
  };
  if (value instanceof Uint8Array) return visitor.bytes(value);
  if (Array.isArray(value)) return visitor.list(made(value));
  if (isRhoNumber(value)) return visitor.number(value);
  if (value instanceof RhoUri) return visitor.uri(requireText(value.uri));
  if (value instanceof RhoUnforgeable) return visitor.unforgeable(value);
  if (value instanceof RhoTuple) {
    if (value.items.length === 0) throw new ValueError({ code: "emptyTuple" });
    return visitor.tuple(made(value.items));
  }
  if (value instanceof RhoPar) return visitor.par(made(value.items));
  if (value instanceof Set) return visitor.set(made(value));
  if (value instanceof Map) return visitMap([...value], visitor, depth);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === null || prototype === Object.prototype) return visitMap(Object.entries(value), visitor, depth);
  throw new ValueError({ code: "notValue", what: `an object of class ${value.constructor?.name ?? "unknown"}` });
}

function visitMap<Made>(
  entries: readonly (readonly [unknown, unknown])[],
  visitor: ValueVisitor<Made>,
  depth: number,
): Made {
  const made = entries.map(
    ([key, value]) => [visitValue(key, visitor, depth + 1), visitValue(value, visitor, depth + 1)] as const,
  );
  return visitor.map(
    made,
    entries.map(([key]) => key),
  );
}
