import { concatBytes } from "../bytes/concat.js";
import { blake2bInitial } from "../hash/blake2bParts.js";

const mask = (1n << 64n) - 1n;
const orders = [
  "0123456789abcdef",
  "ea489fd61c02b753",
  "b8c052fdae367194",
  "7931dcbe265a40f8",
  "905724afe1bc683d",
  "2c6a0b834d75fe19",
  "c51fed4a0763928b",
  "db7ec13950f4862a",
  "6fe9b308c2d714a5",
  "a2847615fb9e3cd0",
];
const columns = [
  [0, 4, 8, 12],
  [1, 5, 9, 13],
  [2, 6, 10, 14],
  [3, 7, 11, 15],
  [0, 5, 10, 15],
  [1, 6, 11, 12],
  [2, 7, 8, 13],
  [3, 4, 9, 14],
] as const;
const turn = (word: bigint, bits: bigint) => ((word >> bits) | (word << (64n - bits))) & mask;

type Digest = { readonly h: readonly bigint[]; readonly t0: bigint; readonly t1: bigint };

/** The generator as the specification words it, slow and without any of the fast one's means; for comparison. @spec 21 §2 */
export class PlainRandom {
  private hash: Uint8Array = new Uint8Array(64);
  private position = 0;

  private constructor(
    private digest: Digest,
    private block: Uint8Array,
    private pathLength: number,
  ) {}

  static fromSeed(seed: Uint8Array): PlainRandom {
    let digest = start(0);
    for (let offset = 0; offset < seed.length; offset += 128) {
      const piece = new Uint8Array(128);
      piece.set(seed.subarray(offset, offset + 128));
      digest = compress(digest, piece, false, false);
    }
    return new PlainRandom(digest, new Uint8Array(128), 0);
  }

  static merge(children: readonly PlainRandom[]): PlainRandom {
    let digest = start(children.length);
    for (let quad = 0; quad < children.length; quad += 4) {
      const chain = new Uint8Array(128);
      children.slice(quad, quad + 4).forEach((child, index) => {
        chain.set(wordsToBytes(compress(child.digest, child.block, true, false).h).subarray(0, 32), 32 * index);
      });
      digest = compress(digest, chain, false, false);
    }
    return new PlainRandom(digest, new Uint8Array(128), 0);
  }

  next(): Uint8Array {
    if (this.position === 32) {
      this.position = 0;
      return this.hash.slice(32);
    }
    this.hash = wordsToBytes(compress(this.digest, this.block, true, true).h);
    const view = new DataView(this.block.buffer);
    const low = (view.getBigUint64(112, true) + 1n) & mask;
    view.setBigUint64(112, low, true);
    if (low === 0n) view.setBigUint64(120, (view.getBigUint64(120, true) + 1n) & mask, true);
    this.position = 32;
    return this.hash.slice(0, 32);
  }

  copy(): PlainRandom {
    return new PlainRandom(this.digest, this.block.slice(), this.pathLength);
  }

  splitByte(index: number): PlainRandom {
    const part = this.copy();
    if (part.pathLength === 112) {
      part.digest = compress(part.digest, part.block, false, false);
      part.block = new Uint8Array(128);
      part.pathLength = 0;
    }
    part.block[part.pathLength++] = index;
    return part;
  }

  toBytes(): Uint8Array {
    const { h, t0, t1 } = this.digest;
    return concatBytes(
      this.block.subarray(112),
      wordsToBytes([...h, t0, t1]),
      Uint8Array.of(this.pathLength, this.position),
      this.block.subarray(0, this.pathLength),
      this.position === 32 ? this.hash.subarray(32) : new Uint8Array(),
    );
  }
}

function start(fanout: number): Digest {
  const h = [...blake2bInitial];
  h[0]! ^= 0xff000040n | (BigInt(fanout) << 16n);
  h[2]! ^= 0x2000n;
  return { h, t0: 0n, t1: 0n };
}

function compress({ h, t0, t1 }: Digest, block: Uint8Array, isFinal: boolean, isRoot: boolean): Digest {
  const view = new DataView(block.buffer, block.byteOffset, 128);
  const m = Array.from({ length: 16 }, (_, index) => view.getBigUint64(8 * index, true));
  const newT0 = (t0 + 128n) & mask;
  const newT1 = newT0 === 0n ? (t1 + 1n) & mask : t1;
  const v = [...h, ...blake2bInitial];
  v[12]! ^= newT0;
  v[13]! ^= newT1;
  if (isFinal) v[14]! ^= mask;
  if (isRoot) v[15]! ^= mask;
  for (let round = 0; round < 12; round++) {
    const order = [...orders[round % 10]!].map((digit) => m[Number.parseInt(digit, 16)]!);
    columns.forEach(([a, b, c, d], column) => {
      for (const [x, first, second] of [
        [order[2 * column]!, 32n, 24n],
        [order[2 * column + 1]!, 16n, 63n],
      ] as const) {
        v[a] = (v[a]! + v[b]! + x) & mask;
        v[d] = turn(v[d]! ^ v[a]!, first);
        v[c] = (v[c]! + v[d]!) & mask;
        v[b] = turn(v[b]! ^ v[c]!, second);
      }
    });
  }
  return { h: h.map((word, index) => word ^ v[index]! ^ v[index + 8]!), t0: newT0, t1: newT1 };
}

function wordsToBytes(words: readonly bigint[]): Uint8Array {
  return new Uint8Array(new BigUint64Array(words).buffer);
}
