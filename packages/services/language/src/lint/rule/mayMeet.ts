import type { AnyName, AnyPatterns, AnyProcess } from "../../ProgramSource.js";

type Collection = Extract<AnyProcess, { kind: "List" | "Tuple" | "Set" }>;

/**
 * Whether something can be matched by one and equal, or be matched by, the other: `false` only where it is certain
 * that nothing can.
 *
 * @spec 22 §2
 */
export function mayMeet(left: AnyProcess, right: AnyProcess): boolean {
  for (const [one, other] of [
    [left, right],
    [right, left],
  ] as const) {
    if (one.kind === "Conjunction") return mayMeet(one.left, other) && mayMeet(one.right, other);
    if (one.kind === "Disjunction") return mayMeet(one.left, other) || mayMeet(one.right, other);
  }
  const [kind, other] = [dataKind(left), dataKind(right)];
  if (kind === undefined || other === undefined) return true;
  if (kind !== other) return false;
  if (left.kind === "SimpleType" || right.kind === "SimpleType") return true;
  if (isCollection(left) && isCollection(right)) return elementsMayMeet(left, right);
  return kind === "Map" || kind === "Set" || literalText(left) === literalText(right);
}

/** The same for what a message brings, or for the formals of two contracts. */
export function patternsMayMeet(left: AnyPatterns, right: AnyPatterns): boolean {
  if (!lengthsMayMeet(left, left.names.length, right, right.names.length)) return false;
  const shared = Math.min(left.names.length, right.names.length);
  return left.names.slice(0, shared).every((name, index) => namesMayMeet(name, right.names[index]!));
}

type WithRemainder = Pick<AnyPatterns, "remainder">;

/** A list with a remainder has at least its visible length. */
function lengthsMayMeet(left: WithRemainder, leftLength: number, right: WithRemainder, rightLength: number): boolean {
  return (
    (left.remainder !== undefined || leftLength >= rightLength) &&
    (right.remainder !== undefined || rightLength >= leftLength)
  );
}

function namesMayMeet(left: AnyName, right: AnyName): boolean {
  return left.kind !== "Quote" || right.kind !== "Quote" || mayMeet(left.process, right.process);
}

/** The kind of data that a process is for certain. */
function dataKind(process: AnyProcess): string | undefined {
  switch (process.kind) {
    case "Nil":
    case "Bool":
    case "Int":
    case "String":
    case "Uri":
    case "List":
    case "Tuple":
    case "Set":
    case "Map":
      return process.kind;
    case "SimpleType":
      return process.typeName;
    case "Unary":
      return process.operator === "ENeg" && process.operand.kind === "Int" ? "Int" : undefined;
    default:
      return undefined;
  }
}

function isCollection(process: AnyProcess): process is Collection {
  return process.kind === "List" || process.kind === "Tuple";
}

function elementsMayMeet(left: Collection, right: Collection): boolean {
  if (!lengthsMayMeet(left, left.elements.length, right, right.elements.length)) return false;
  const shared = Math.min(left.elements.length, right.elements.length);
  return left.elements.slice(0, shared).every((element, index) => mayMeet(element, right.elements[index]!));
}

function literalText(process: AnyProcess): string {
  switch (process.kind) {
    case "Bool":
    case "String":
    case "Uri":
      return String(process.value);
    case "Int":
      return String("digits" in process ? BigInt(process.digits) : process.value);
    case "Unary":
      return `-${literalText(process.operand)}`;
    default:
      return process.kind;
  }
}
