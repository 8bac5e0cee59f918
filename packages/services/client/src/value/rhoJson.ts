import { fromHex, toHex } from "@vedette/crypto";
import { RhoBigInt, RhoDouble, RhoFixedPoint, type RhoNumber, RhoRational } from "./RhoNumber.js";
import {
  checkDepth,
  type RhoInput,
  RhoPar,
  RhoTuple,
  RhoUnforgeable,
  RhoUri,
  type RhoValue,
  requireHex,
  requireInt64,
  type UnforgeableKind,
} from "./RhoValue.js";
import { ValueError } from "./ValueError.js";
import { type ValueVisitor, visitValue } from "./visitValue.js";

/** An unforgeable name in the node's JSON. @spec 50 §1.8 */
export type RhoUnforgeableJson =
  | { readonly UnforgPrivate: { readonly data: string } }
  | { readonly UnforgDeploy: { readonly data: string } }
  | { readonly UnforgDeployer: { readonly data: string } };

/** A number that f1r3node networks have alone. @spec 50 §10.1 */
export type RhoNumberJson =
  | { readonly ExprFloat: { readonly data: number | null } }
  | { readonly ExprBigInt: { readonly data: string } }
  | { readonly ExprBigRat: { readonly numerator: string; readonly denominator: string } }
  | { readonly ExprFixedPoint: { readonly value: string; readonly scale: number } };

/** A Rholang value in the node's JSON: one key, which is its kind. @spec 50 §1.8 */
export type RhoJson =
  | { readonly ExprNil: { readonly [key: string]: never } }
  | { readonly ExprBool: { readonly data: boolean } }
  | { readonly ExprInt: { readonly data: bigint } }
  | RhoNumberJson
  | { readonly ExprString: { readonly data: string } }
  | { readonly ExprUri: { readonly data: string } }
  | { readonly ExprBytes: { readonly data: string } }
  | { readonly ExprTuple: { readonly data: readonly RhoJson[] } }
  | { readonly ExprList: { readonly data: readonly RhoJson[] } }
  | { readonly ExprSet: { readonly data: readonly RhoJson[] } }
  | { readonly ExprPar: { readonly data: readonly RhoJson[] } }
  | { readonly ExprMap: { readonly data: { readonly [key: string]: RhoJson } } }
  | { readonly ExprUnforg: { readonly data: RhoUnforgeableJson } };

/** A Rholang value in the JSON of the versioned API. @spec 50 §1.10 */
export interface TaggedRhoJson {
  readonly type: string;
  readonly data?: unknown;
}

const unforgeableKinds = {
  UnforgPrivate: "private",
  UnforgDeploy: "deploy",
  UnforgDeployer: "deployer",
} as const satisfies Record<string, UnforgeableKind>;

const unforgeableNames = { private: "UnforgPrivate", deploy: "UnforgDeploy", deployer: "UnforgDeployer" } as const;

/**
 * Reads a value in either of the two forms.
 *
 * Integers may be `bigint` or numbers that are exact; keys of maps are texts, as JSON has them.
 *
 * @spec 50 §1.8, §1.10
 * @throws {ValueError} `badJson`, `notInteger`, `outOfRange`, `badHex`, `tooDeep`
 */
export function rhoValueOfJson(json: unknown): RhoValue {
  return readValue(json, 0);
}

/**
 * Reads values and leaves out everything else: nodes of f1r3node send processes and operators, too.
 *
 * @spec 50 §1.8, §10.1
 * @throws {ValueError} as {@link rhoValueOfJson}
 */
export function rhoValuesOfJson(all: readonly unknown[]): RhoValue[] {
  return readAll(all, 0);
}

/** The node's JSON of a value. @spec 50 §1.8 @throws {ValueError} for what is no value, `badKey` */
export function rhoJsonOf(value: RhoInput): RhoJson {
  return visitValue(value, plainJson);
}

/** The JSON of a value in the form of the versioned API. @spec 50 §1.10 @throws {ValueError} as {@link rhoJsonOf} */
export function taggedRhoJsonOf(value: RhoInput): TaggedRhoJson {
  return visitValue(value, taggedJson);
}

/** An unforgeable name as requests take it. @spec 50 §1.8 */
export function unforgeableJsonOf(name: RhoUnforgeable): RhoUnforgeableJson {
  return { [unforgeableNames[name.of]]: { data: name.hex } } as unknown as RhoUnforgeableJson;
}

const plainJson: ValueVisitor<RhoJson> = {
  nil: () => ({ ExprNil: {} }),
  bool: (data) => ({ ExprBool: { data } }),
  int: (data) => ({ ExprInt: { data } }),
  number: numberJson,
  text: (data) => ({ ExprString: { data } }),
  bytes: (value) => ({ ExprBytes: { data: toHex(value) } }),
  uri: (data) => ({ ExprUri: { data } }),
  unforgeable: (name) => ({ ExprUnforg: { data: unforgeableJsonOf(name) } }),
  tuple: (data) => ({ ExprTuple: { data } }),
  list: (data) => ({ ExprList: { data } }),
  set: (data) => ({ ExprSet: { data } }),
  map: (entries, keys) => ({ ExprMap: { data: record(entries, keys) } }),
  par: (data) => ({ ExprPar: { data } }),
};

const taggedJson: ValueVisitor<TaggedRhoJson> = {
  nil: () => ({ type: "ExprNil" }),
  bool: (data) => ({ type: "ExprBool", data }),
  int: (data) => ({ type: "ExprInt", data }),
  number: (value) => {
    const [[type, content]] = Object.entries(numberJson(value)) as [[string, object]];
    return { type, ...content };
  },
  text: (data) => ({ type: "ExprString", data }),
  bytes: (value) => ({ type: "ExprBytes", data: toHex(value) }),
  uri: (data) => ({ type: "ExprUri", data }),
  unforgeable: (name) => ({ type: "ExprUnforg", data: { type: unforgeableNames[name.of], data: name.hex } }),
  tuple: (data) => ({ type: "ExprTuple", data }),
  list: (data) => ({ type: "ExprList", data }),
  set: (data) => ({ type: "ExprSet", data }),
  map: (entries, keys) => ({ type: "ExprMap", data: record(entries, keys) }),
  par: (data) => ({ type: "ExprPar", data }),
};

function numberJson(value: RhoNumber): RhoNumberJson {
  switch (value.kind) {
    case "double":
      return { ExprFloat: { data: Number.isFinite(value.value) ? value.value : null } };
    case "bigInt":
      return { ExprBigInt: { data: String(value.value) } };
    case "rational":
      return { ExprBigRat: { numerator: String(value.numerator), denominator: String(value.denominator) } };
    case "fixedPoint":
      return { ExprFixedPoint: { value: String(value.unscaled), scale: value.scale } };
  }
}

function record<Json>(
  entries: readonly (readonly [Json, Json])[],
  keys: readonly unknown[],
): { readonly [key: string]: Json } {
  // A null prototype keeps a key such as "__proto__" an ordinary key.
  const members: { [key: string]: Json } = Object.create(null);
  entries.forEach(([, value], index) => {
    members[keyText(keys[index])] = value;
  });
  return members;
}

function keyText(key: unknown): string {
  if (typeof key === "string") return key;
  if (typeof key === "bigint" || typeof key === "number" || typeof key === "boolean") return String(key);
  if (key instanceof Uint8Array) return toHex(key);
  if (key instanceof RhoUri) return key.uri;
  if (key instanceof RhoUnforgeable) return key.hex;
  throw new ValueError({ code: "badKey", what: key === null ? "Nil" : "A collection" });
}

function readValue(json: unknown, depth: number): RhoValue {
  checkDepth(depth);
  const { kind, data, content } = kindAndData(json);
  switch (kind) {
    case "ExprNil":
      return null;
    case "ExprBool":
      if (typeof data === "boolean") return data;
      break;
    case "ExprInt":
      if (typeof data === "bigint" || typeof data === "number") return requireInt64(data);
      break;
    case "ExprString":
      if (typeof data === "string") return data;
      break;
    case "ExprUri":
      if (typeof data === "string") return new RhoUri(data);
      break;
    case "ExprBytes":
      if (typeof data === "string") return fromHex(requireHex(data));
      break;
    case "ExprUnforg":
      return readUnforgeable(data);
    case "ExprMap":
      return readMap(data, depth);
    case "ExprFloat":
    case "ExprBigInt":
    case "ExprBigRat":
    case "ExprFixedPoint":
      return readNumber(kind, content) ?? thrown(badJson(json));
    case "ExprBundle":
      return readValue(data, depth + 1);
    default:
      return readItems(kind, data, depth);
  }
  throw badJson(json);
}

function thrown(error: Error): never {
  throw error;
}

function readNumber(
  kind: "ExprFloat" | "ExprBigInt" | "ExprBigRat" | "ExprFixedPoint",
  content: object,
): RhoNumber | undefined {
  const { data, numerator, denominator, value, scale } = content as { readonly [name: string]: unknown };
  switch (kind) {
    case "ExprFloat":
      // A parser of JSON that keeps integers gives whole numbers as such.
      if (data === null) return new RhoDouble(Number.NaN);
      return typeof data === "number" || typeof data === "bigint" ? new RhoDouble(Number(data)) : undefined;
    case "ExprBigInt":
      return isInteger(data) ? new RhoBigInt(BigInt(data)) : undefined;
    case "ExprBigRat":
      if (!isInteger(numerator) || !isInteger(denominator)) return undefined;
      return new RhoRational(BigInt(numerator), BigInt(denominator));
    case "ExprFixedPoint":
      if (!isInteger(value) || (typeof scale !== "number" && typeof scale !== "bigint")) return undefined;
      return new RhoFixedPoint(BigInt(value), Number(scale));
  }
}

/** Longer ones take long to read, and no node sends them. */
const maxDigits = 100_000;

function isInteger(text: unknown): text is string {
  return typeof text === "string" && text.length <= maxDigits && /^-?\d+$/.test(text);
}

/** The one place where the two forms differ. */
function kindAndData(json: unknown): { readonly kind: string; readonly data: unknown; readonly content: object } {
  if (typeof json !== "object" || json === null) throw badJson(json);
  if ("type" in json && typeof json.type === "string") {
    return { kind: json.type, data: "data" in json ? json.data : undefined, content: json };
  }
  const [member, ...others] = Object.entries(json);
  if (member === undefined || others.length > 0) throw badJson(json);
  const [kind, content] = member as [string, unknown];
  if (typeof content !== "object" || content === null) throw badJson(json);
  return { kind, data: "data" in content ? content.data : undefined, content };
}

const processes: ReadonlySet<string> = new Set([
  ...["ExprUnknown", "ExprVar", "ExprMethod", "ExprMatches", "ExprNot", "ExprNeg", "ExprMult", "ExprDiv", "ExprMod"],
  ...["ExprPlus", "ExprMinus", "ExprLt", "ExprLte", "ExprGt", "ExprGte", "ExprEq", "ExprNeq", "ExprAnd", "ExprOr"],
  ...["ExprInterpolate", "ExprConcat", "ExprDiff"],
]);

/** Whether JSON describes a process, which is no value. */
function isProcess(json: unknown, depth: number): boolean {
  checkDepth(depth);
  const { kind, data } = kindAndData(json);
  if (kind === "ExprBundle") return isProcess(data, depth + 1);
  return processes.has(kind) || (kind === "ExprUnforg" && isToken(data));
}

/** The system's token is no name: programs cannot pass it on. */
function isToken(data: unknown): boolean {
  const token = "UnforgSysAuthToken";
  return data === token || (typeof data === "object" && data !== null && "type" in data && data.type === token);
}

function readAll(all: readonly unknown[], depth: number): RhoValue[] {
  const values: RhoValue[] = [];
  for (const json of all) if (!isProcess(json, depth)) values.push(readValue(json, depth));
  return values;
}

function readItems(kind: string, data: unknown, depth: number): RhoValue {
  if (!Array.isArray(data)) throw badJson({ [kind]: data });
  const items = readAll(data, depth + 1);
  switch (kind) {
    case "ExprTuple":
      return RhoTuple.of(items);
    case "ExprList":
      return items;
    case "ExprSet":
      return new Set(items);
    case "ExprPar":
      return RhoPar.of(items);
    default:
      throw badJson({ [kind]: data });
  }
}

function readMap(data: unknown, depth: number): RhoValue {
  if (typeof data !== "object" || data === null || Array.isArray(data)) throw badJson(data);
  const entries = Object.entries(data).filter(([, value]) => !isProcess(value, depth + 1));
  return new Map(entries.map(([key, value]) => [key, readValue(value, depth + 1)]));
}

function readUnforgeable(json: unknown): RhoUnforgeable {
  const { kind, data } = kindAndData(json);
  if (!Object.hasOwn(unforgeableKinds, kind) || typeof data !== "string") throw badJson(json);
  return new RhoUnforgeable(unforgeableKinds[kind as keyof typeof unforgeableKinds], data);
}

const longestShown = 60;

function badJson(json: unknown): ValueError {
  const text = JSON.stringify(json, (_, value: unknown) => (typeof value === "bigint" ? Number(value) : value));
  const found = (text ?? typeof json).slice(0, longestShown);
  return new ValueError({ code: "badJson", found });
}
