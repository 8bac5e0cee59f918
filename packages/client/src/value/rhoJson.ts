import { fromHex, toHex } from "@vedette/crypto";
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

/** A Rholang value in the node's JSON: one key, which is its kind. @spec 50 §1.8 */
export type RhoJson =
  | { readonly ExprNil: { readonly [key: string]: never } }
  | { readonly ExprBool: { readonly data: boolean } }
  | { readonly ExprInt: { readonly data: bigint } }
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
  const { kind, data } = kindAndData(json);
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
    default:
      return readItems(kind, data, depth);
  }
  throw badJson(json);
}

/** The one place where the two forms differ. */
function kindAndData(json: unknown): { readonly kind: string; readonly data: unknown } {
  if (typeof json !== "object" || json === null) throw badJson(json);
  if ("type" in json && typeof json.type === "string") {
    return { kind: json.type, data: "data" in json ? json.data : undefined };
  }
  const [member, ...others] = Object.entries(json);
  if (member === undefined || others.length > 0) throw badJson(json);
  const [kind, content] = member as [string, unknown];
  if (typeof content !== "object" || content === null) throw badJson(json);
  return { kind, data: "data" in content ? content.data : undefined };
}

function readItems(kind: string, data: unknown, depth: number): RhoValue {
  if (!Array.isArray(data)) throw badJson({ [kind]: data });
  const items = data.map((item) => readValue(item, depth + 1));
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
  return new Map(Object.entries(data).map(([key, value]) => [key, readValue(value, depth + 1)]));
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
