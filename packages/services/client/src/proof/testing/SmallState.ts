import { blake2b256, compareByLengthThenBytes, concatBytes, toHex } from "@vedette/crypto";
import {
  encodeListParWithRandom,
  encodePar,
  GString,
  ListParWithRandom,
  type Par,
  parOfExpr,
  sortPar,
} from "@vedette/terms";
import { printStateProof, type StateKind, type StateProofJson } from "../StateProof.js";
import { stateKey } from "../verifyStateProof.js";

/** A name of text. */
export function nameOf(text: string): Uint8Array {
  return encodePar(sortPar(parOfExpr(new GString(text))));
}

/** A state with data on names of text, made by the chapter's recursive rule, as slowly and plainly as can be. */
export class SmallState {
  readonly root: Uint8Array;
  readonly #nodes = new Map<string, Uint8Array>();
  readonly #leaves = new Map<string, Uint8Array>();

  /** @param data name → texts that were sent to it, none of them empty */
  constructor(data: ReadonlyMap<string, readonly string[]>) {
    const entries = [...data].map(([name, texts]): Entry => {
      const key = stateKey("data", [nameOf(name)]);
      const leaf = leafOf(texts.map((text) => datumBits(parOfExpr(new GString(text)))));
      this.#leaves.set(toHex(key), leaf);
      return [key, blake2b256(leaf)];
    });
    this.root = this.#build(entries);
  }

  /** @spec 30 §5.4 */
  prove(kind: StateKind, channels: readonly Uint8Array[]): StateProofJson {
    const key = stateKey(kind, channels);
    const nodes: Uint8Array[] = [];
    let node = this.#nodes.get(toHex(this.root));
    for (let depth = 0; node !== undefined && node.length > 0; ) {
      nodes.push(node);
      const found = itemsOf(node).find(({ index }) => index === key[depth]);
      if (found === undefined || toHex(found.prefix) !== toHex(key.slice(depth + 1, depth + 1 + found.prefix.length)))
        break;
      depth += 1 + found.prefix.length;
      node = found.isPointer ? this.#nodes.get(toHex(found.target)) : undefined;
    }
    const leaf = this.#leaves.get(toHex(key));
    return printStateProof({ root: this.root, kind, channels, nodes, leaf, block: undefined });
  }

  /** @spec 30 §5.3 */
  #build(entries: readonly Entry[]): Uint8Array {
    const parts: Uint8Array[] = [];
    for (let index = 0; index < 256; index += 1) {
      const below = entries.filter(([key]) => key[0] === index).map(([key, value]): Entry => [key.slice(1), value]);
      const [first] = below;
      if (first === undefined) continue;
      if (below.length === 1) {
        parts.push(Uint8Array.of(index, first[0].length), first[0], first[1]);
        continue;
      }
      const shared = commonPrefix(below.map(([key]) => key));
      const child = this.#build(below.map(([key, value]) => [key.slice(shared.length), value]));
      parts.push(Uint8Array.of(index, 0x80 | shared.length), shared, child);
    }
    const node = concatBytes(...parts);
    const hash = blake2b256(node);
    this.#nodes.set(toHex(hash), node);
    return hash;
  }
}

type Entry = readonly [key: Uint8Array, value: Uint8Array];

function commonPrefix(keys: readonly Uint8Array[]): Uint8Array {
  const [first] = keys;
  let length = 0;
  while (keys.every((key) => length < key.length && key[length] === first![length])) length += 1;
  return first!.slice(0, length);
}

function itemsOf(node: Uint8Array) {
  const items: { index: number; prefix: Uint8Array; target: Uint8Array; isPointer: boolean }[] = [];
  for (let offset = 0; offset < node.length; ) {
    const start = offset + 2;
    const end = start + (node[offset + 1]! & 0x7f);
    const isPointer = node[offset + 1]! >= 0x80;
    items.push({ index: node[offset]!, prefix: node.slice(start, end), target: node.slice(end, end + 32), isPointer });
    offset = end + 32;
  }
  return items;
}

/** Encodes a datum that no program will receive, so that its source may be empty. @spec 30 §4.3 */
function datumBits(value: Par): Uint8Array {
  const content = encodeListParWithRandom(new ListParWithRandom([value], new Uint8Array(0)));
  const source = `${"0".repeat(2 * 256)}01${"0".repeat(32)}0`;
  return bytesOfBits(`${bitsOf(prefixed(content))}1${source}`);
}

/** @spec 30 §4.4, §4.5 */
function leafOf(items: readonly Uint8Array[]): Uint8Array {
  const count = Uint8Array.of(0, 0, 0, items.length);
  const list = concatBytes(count, ...[...items].sort(compareByLengthThenBytes).map(prefixed));
  return bytesOfBits(`01${bitsOf(prefixed(list))}`);
}

function prefixed(bytes: Uint8Array): Uint8Array {
  const length = new Uint8Array(8);
  new DataView(length.buffer).setBigInt64(0, BigInt(bytes.length));
  return concatBytes(length, bytes);
}

function bitsOf(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("");
}

function bytesOfBits(bits: string): Uint8Array {
  const padded = bits.padEnd(Math.ceil(bits.length / 8) * 8, "0");
  return Uint8Array.from({ length: padded.length / 8 }, (_, index) =>
    Number.parseInt(padded.slice(8 * index, 8 * index + 8), 2),
  );
}
