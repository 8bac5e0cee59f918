import { fromHex, toHex } from "@vedette/crypto";
import { badForm } from "./StateProofError.js";

/** Format name of a proof with its version. @spec 30 §10.2 */
export const stateProofFormat = "vedette-state-proof/1";

/**
 * The kinds of entries that a state stores for a name: sent data, waiting continuations, and the other names that these
 * wait for.
 */
export const stateKinds = ["data", "continuations", "joins"] as const;
/** @see stateKinds */
export type StateKind = (typeof stateKinds)[number];

/** The way from a block's hash to a state root. @spec 30 §10.3 */
export interface BlockAnchor {
  readonly hash: Uint8Array;
  /** Which of the block's two states is meant. */
  readonly state: "post" | "pre";
  /** All bytes that the hash is made of. */
  readonly content: Uint8Array;
}

/**
 * Proves what a state holds for a name, or that it holds nothing. The verifier trusts a state root or a block's hash.
 *
 * @spec 30 §10
 */
export interface StateProof {
  readonly root: Uint8Array;
  readonly kind: StateKind;
  /** The names in hashed form: one, or for continuations those of a receive, in any order. */
  readonly channels: readonly Uint8Array[];
  /** Encodings of the nodes on the way, the root's first; none where the state is empty. */
  readonly nodes: readonly Uint8Array[];
  /** The leaf's bytes; absent when there is nothing below the name. */
  readonly leaf: Uint8Array | undefined;
  readonly block: BlockAnchor | undefined;
}

/** The JSON form of a proof; bytes are hexadecimal digits. @spec 30 §10.2 */
export interface StateProofJson {
  readonly format: string;
  readonly root: string;
  readonly kind: StateKind;
  readonly channels: readonly string[];
  readonly nodes: readonly string[];
  readonly leaf: string | null;
  readonly block?: { readonly hash: string; readonly state: "post" | "pre"; readonly content: string } | undefined;
}

/** Bytes of a key: each node of the way uses up at least one. */
export const keyLength = 33;
/** A node has at most 256 items. */
const largestNodeBytes = 256 * (2 + 127 + 32);
const largestPartBytes = 64 << 20;
const maxChannels = 1024;
const hashBytes = 32;

/** The JSON form of a proof. @spec 30 §10.2 */
export function printStateProof(proof: StateProof, format: string = stateProofFormat): StateProofJson {
  const { root, kind, channels, nodes, leaf, block } = proof;
  return {
    format,
    root: toHex(root),
    kind,
    channels: channels.map(toHex),
    nodes: nodes.map(toHex),
    leaf: leaf === undefined ? null : toHex(leaf),
    ...(block === undefined
      ? {}
      : { block: { hash: toHex(block.hash), state: block.state, content: toHex(block.content) } }),
  };
}

/**
 * Reads the JSON form of a proof from an untrusted source. Checks the form only.
 *
 * @param format format name that the proof must have
 * @spec 30 §10.2
 * @throws {StateProofError} `form`
 */
export function readStateProof(json: unknown, format: string = stateProofFormat): StateProof {
  const members = membersOf("JSON", json, ["format", "root", "kind", "channels", "nodes", "leaf"], ["block"]);
  if (members["format"] !== format) throw badForm("format", `is not ${format}`);
  const kind = stateKinds.find((one) => one === members["kind"]);
  if (kind === undefined) throw badForm("kind", `must be ${stateKinds.join(" or ")}`);
  const channels = listOf("channels", members["channels"], maxChannels, largestPartBytes);
  if (channels.length === 0 || (kind !== "continuations" && channels.length > 1))
    throw badForm("channels", kind === "continuations" ? "must have at least one item" : "must have one item");
  return {
    root: bytesOf("root", members["root"], hashBytes, hashBytes),
    kind,
    channels,
    nodes: listOf("nodes", members["nodes"], keyLength, largestNodeBytes),
    leaf: members["leaf"] === null ? undefined : bytesOf("leaf", members["leaf"], 0, largestPartBytes),
    block: members["block"] === undefined ? undefined : blockOf(members["block"]),
  };
}

function blockOf(json: unknown): BlockAnchor {
  const { hash, state, content } = membersOf("block", json, ["hash", "state", "content"], []);
  if (state !== "post" && state !== "pre") throw badForm("block.state", "must be post or pre");
  return {
    hash: bytesOf("block.hash", hash, hashBytes, hashBytes),
    state,
    content: bytesOf("block.content", content, 0, largestPartBytes),
  };
}

function membersOf(
  field: string,
  json: unknown,
  required: readonly string[],
  optional: readonly string[],
): { readonly [name: string]: unknown } {
  if (typeof json !== "object" || json === null || Array.isArray(json)) throw badForm(field, "must be an object");
  for (const name of required) if (!Object.hasOwn(json, name)) throw badForm(field, `lacks ${name}`);
  for (const name of Object.keys(json))
    if (!required.includes(name) && !optional.includes(name))
      throw badForm(field, `has a member that is not known: ${name.slice(0, 64)}`);
  // Members that an object inherits are none of the text's.
  return Object.assign(Object.create(null), json) as { readonly [name: string]: unknown };
}

function listOf(field: string, json: unknown, most: number, largest: number): readonly Uint8Array[] {
  if (!Array.isArray(json)) throw badForm(field, "must be an array");
  if (json.length > most) throw badForm(field, `must have at most ${most} items`);
  return json.map((item, index) => bytesOf(`${field}[${index}]`, item, 0, largest));
}

function bytesOf(field: string, json: unknown, least: number, most: number): Uint8Array {
  if (typeof json !== "string") throw badForm(field, "must be a text");
  if (json.length > 2 * most) throw badForm(field, `must have at most ${most} bytes`);
  if (json.length < 2 * least) throw badForm(field, `must have at least ${least} bytes`);
  try {
    return fromHex(json);
  } catch (cause) {
    throw badForm(field, "must be an even number of hexadecimal digits", cause);
  }
}
