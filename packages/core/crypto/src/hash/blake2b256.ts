import { createBlake2bCompression } from "./blake2bCompression.js";
import { blake2bInitial, finalFlag } from "./blake2bParts.js";

const chainAddress = 0;
const chainSize = 80;
const blockSize = 128;
const dataAddress = 128;
const dataSize = 0xff00;

const compression = createBlake2bCompression();
const memory = new Uint8Array(compression.memory.buffer);
const startChain = startOfHash();

/** BLAKE2b with a digest of 32 bytes, unkeyed; the result is a copy of its own. @spec 10 §1.1 */
export function blake2b256(data: Uint8Array): Uint8Array {
  memory.set(startChain, chainAddress);
  if (data.length <= dataSize) {
    memory.set(data, dataAddress);
    return finish(data.length);
  }
  let offset = 0;
  while (data.length - offset > dataSize) {
    memory.set(data.subarray(offset, offset + dataSize), dataAddress);
    compression.absorb(chainAddress, dataAddress, dataSize / blockSize);
    offset += dataSize;
  }
  memory.set(data.subarray(offset), dataAddress);
  return finish(data.length - offset);
}

/**
 * Room for data that are made only to be hashed, so that they need not be copied; its content is lost at any other
 * use of these functions. @spec 10 §1.1
 */
export const blake2b256Input: Uint8Array = memory.subarray(dataAddress, dataAddress + dataSize);

/** {@link blake2b256} of the first bytes of {@link blake2b256Input}. @spec 10 §1.1 */
export function blake2b256OfInput(length: number): Uint8Array {
  memory.set(startChain, chainAddress);
  return finish(length);
}

/** {@link blake2b256} of several parts, as if they were put after each other. @spec 10 §1.1 */
export function blake2b256Of(parts: readonly Uint8Array[]): Uint8Array {
  memory.set(startChain, chainAddress);
  let filled = 0;
  for (let i = 0; i < parts.length; i++) {
    let part = parts[i]!;
    while (part.length > dataSize - filled) {
      const taken = dataSize - filled;
      // The last block must stay: it is compressed as the final one, even when it is full.
      memory.set(part.subarray(0, taken), dataAddress + filled);
      compression.absorb(chainAddress, dataAddress, dataSize / blockSize);
      filled = 0;
      part = part.subarray(taken);
    }
    memory.set(part, dataAddress + filled);
    filled += part.length;
  }
  return finish(filled);
}

/** Compresses the last `length` bytes, which lie at `dataAddress`. */
function finish(length: number): Uint8Array {
  const whole = length === 0 ? 0 : Math.floor((length - 1) / blockSize);
  if (whole > 0) compression.absorb(chainAddress, dataAddress, whole);
  const last = dataAddress + whole * blockSize;
  const rest = length - whole * blockSize;
  memory.fill(0, last + rest, last + blockSize);
  compression.compress(chainAddress, last, last + 112, rest, finalFlag, chainAddress);
  return memory.slice(chainAddress, chainAddress + 32);
}

function startOfHash(): Uint8Array {
  const words = new BigUint64Array(chainSize / 8);
  words.set(blake2bInitial);
  words[0]! ^= 0x01010020n;
  return new Uint8Array(words.buffer);
}
