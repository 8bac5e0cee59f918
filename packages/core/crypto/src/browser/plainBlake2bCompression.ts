import {
  type Blake2bCompression,
  blake2bInitial,
  finalFlag,
  lanes,
  rootFlag,
  rounds,
  wordOrders,
} from "../hash/blake2bParts.js";

// A page may forbid WebAssembly (`Content-Security-Policy`), which the node's own function is made of.
const pageBytes = 1 << 16;
const wordBytes = 8;
const chainWords = 8;
const blockBytes = 128;
const tailOffset = 112;
const counterOffset = 64;
const initial = Uint32Array.from(blake2bInitial.flatMap((word) => [Number(word & 0xffff_ffffn), Number(word >> 32n)]));
// Words of 64 bits as their low and their high half, one after the other.
const v = new Uint32Array(32);
const m = new Uint32Array(32);

/**
 * Makes a compression function with a memory of its own, of plain JavaScript.
 *
 * @spec 21 §2.1
 */
export function createBlake2bCompression(): Blake2bCompression {
  const buffer = new ArrayBuffer(pageBytes);
  const view = new DataView(buffer);
  const compress: Blake2bCompression["compress"] = (...call) => {
    const [chain, block, tail, counted, flags, out] = call;
    for (let half = 0; half < 28; half += 1) m[half] = view.getUint32(block + 4 * half, true);
    for (let half = 0; half < 4; half += 1) m[28 + half] = view.getUint32(tail + 4 * half, true);
    const counter = nextCounter(view, chain + counterOffset, counted);
    begin(view, chain, counter, flags);
    for (let round = 0; round < rounds; round += 1) mixRound(wordOrders[round % wordOrders.length]!);
    for (let half = 0; half < 2 * chainWords; half += 1) {
      const before = view.getUint32(chain + 4 * half, true);
      view.setUint32(out + 4 * half, before ^ v[half]! ^ v[half + 16]!, true);
    }
    for (let half = 0; half < 4; half += 1) view.setUint32(out + counterOffset + 4 * half, counter[half]!, true);
  };
  const absorb: Blake2bCompression["absorb"] = (chain, block, count) => {
    for (let at = block; at < block + count * blockBytes; at += blockBytes)
      compress(chain, at, at + tailOffset, blockBytes, 0, chain);
  };
  return { memory: { buffer }, compress, absorb };
}

/** Four halves. The high word grows exactly when the new low word is 0; an empty last block counts nothing. */
function nextCounter(view: DataView, at: number, counted: number): Uint32Array {
  const low = view.getBigUint64(at, true) + BigInt(counted);
  const carry = BigInt.asUintN(64, low) === 0n && counted !== 0 ? 1n : 0n;
  const high = view.getBigUint64(at + wordBytes, true) + carry;
  const half = (word: bigint, shift: bigint) => Number((word >> shift) & 0xffff_ffffn);
  return Uint32Array.of(half(low, 0n), half(low, 32n), half(high, 0n), half(high, 32n));
}

function begin(view: DataView, chain: number, counter: Uint32Array, flags: number): void {
  for (let half = 0; half < 16; half += 1) {
    v[half] = view.getUint32(chain + 4 * half, true);
    v[half + 16] = initial[half]!;
  }
  for (let half = 0; half < 4; half += 1) v[24 + half]! ^= counter[half]!;
  const isFinal = (flags & finalFlag) === 0 ? 0 : -1;
  const isRoot = (flags & rootFlag) === 0 ? 0 : -1;
  v[28]! ^= isFinal;
  v[29]! ^= isFinal;
  v[30]! ^= isRoot;
  v[31]! ^= isRoot;
}

function mixRound(order: readonly number[]): void {
  for (let lane = 0; lane < lanes.length; lane += 1) {
    const [a, b, c, d] = lanes[lane]!;
    addWord(a, b, order[2 * lane]!);
    turnRight(d, a, 32);
    add(c, d);
    turnRight(b, c, 24);
    addWord(a, b, order[2 * lane + 1]!);
    turnRight(d, a, 16);
    add(c, d);
    turnRight(b, c, 63);
  }
}

/** v[a] += v[b] + m[x] */
function addWord(a: number, b: number, x: number): void {
  const low = v[2 * a]! + v[2 * b]! + m[2 * x]!;
  v[2 * a + 1] = v[2 * a + 1]! + v[2 * b + 1]! + m[2 * x + 1]! + Math.floor(low / 2 ** 32);
  v[2 * a] = low;
}

/** v[a] += v[b] */
function add(a: number, b: number): void {
  const low = v[2 * a]! + v[2 * b]!;
  v[2 * a + 1] = v[2 * a + 1]! + v[2 * b + 1]! + (low >= 2 ** 32 ? 1 : 0);
  v[2 * a] = low;
}

/** v[a] = (v[a] ^ v[b]) >>> bits, around */
function turnRight(a: number, b: number, bits: 16 | 24 | 32 | 63): void {
  const low = v[2 * a]! ^ v[2 * b]!;
  const high = v[2 * a + 1]! ^ v[2 * b + 1]!;
  if (bits === 32) {
    v[2 * a] = high;
    v[2 * a + 1] = low;
  } else if (bits === 63) {
    v[2 * a] = (low << 1) | (high >>> 31);
    v[2 * a + 1] = (high << 1) | (low >>> 31);
  } else {
    v[2 * a] = (low >>> bits) | (high << (32 - bits));
    v[2 * a + 1] = (high >>> bits) | (low << (32 - bits));
  }
}
