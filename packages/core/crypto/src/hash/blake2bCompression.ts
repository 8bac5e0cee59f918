import { getEnvironmentData, type Serializable, setEnvironmentData } from "node:worker_threads";
import { type Blake2bCompression, blake2bInitial, lanes, rounds, wordOrders } from "./blake2bParts.js";
import type { WasmCode } from "./wasmCode.js";
import {
  add32,
  add64,
  and32,
  assign,
  call,
  constant32,
  constant64,
  differ32,
  encodeWasmModule,
  extend,
  isZero64,
  load64,
  local,
  repeatWhile,
  rotateRight64,
  shiftRight32,
  store64,
  subtract64,
  xor64,
} from "./wasmCode.js";

// The library of ES2023 has no name for what every JavaScript engine of today has.
declare const WebAssembly: {
  readonly Module: new (code: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: unknown };
};

/** The name under which threads find the compiled function. */
const sharedName = "vedette.blake2b";
let compiled: object | undefined;

/**
 * Makes a compression function with a memory of its own, of one page.
 *
 * PERF: BLAKE2b is all 64-bit arithmetic, which plain JavaScript does not have; see `blake2b256.bench.ts`.
 *
 * @spec 21 §2.1
 */
export function createBlake2bCompression(): Blake2bCompression {
  return new WebAssembly.Instance(compiledOnce()).exports as Blake2bCompression;
}

/** Gives the compiled function to all threads that this one starts from now on: to make it takes longer than to load a module. */
export function shareBlake2bCompression(): void {
  setEnvironmentData(sharedName, compiledOnce() as Serializable);
}

function compiledOnce(): object {
  if (compiled !== undefined) return compiled;
  const shared: unknown = getEnvironmentData(sharedName);
  compiled = shared instanceof WebAssembly.Module ? shared : new WebAssembly.Module(moduleCode());
  return compiled;
}

function moduleCode(): Uint8Array {
  const functions = [
    { name: "compress", parameters: 6, locals64: 34, code: compressCode() },
    { name: "absorb", parameters: 3, locals64: 0, code: absorbCode() },
  ];
  return encodeWasmModule(functions, 1);
}

// Numbers of the parameters of `compress`.
const chain = local(0);
const block = local(1);
const tail = local(2);
const counted = local(3);
const flags = local(4);
const out = local(5);
// Numbers of its locals: v[0..15], m[0..15], then the counter.
const v = 6;
const m = 22;
const counterLow = 38;
const counterHigh = 39;

function compressCode(): WasmCode {
  const initial = blake2bInitial.map(constant64);
  const code: number[] = [];
  for (let i = 0; i < 14; i++) code.push(...assign(m + i, load64(block, 8 * i)));
  for (let i = 0; i < 2; i++) code.push(...assign(m + 14 + i, load64(tail, 8 * i)));
  code.push(...assign(counterLow, add64(load64(chain, 64), extend(counted))));
  // The high word grows exactly when the new low word is 0, whatever the low word was before;
  // the final block of an empty message counts nothing.
  const carry = and32(isZero64(local(counterLow)), differ32(counted, constant32(0)));
  code.push(...assign(counterHigh, add64(load64(chain, 72), extend(carry))));
  for (let i = 0; i < 8; i++) code.push(...assign(v + i, load64(chain, 8 * i)));
  for (let i = 0; i < 4; i++) code.push(...assign(v + 8 + i, initial[i]!));
  code.push(...assign(v + 12, xor64(local(counterLow), initial[4]!)));
  code.push(...assign(v + 13, xor64(local(counterHigh), initial[5]!)));
  code.push(...assign(v + 14, xor64(flagMask(0), initial[6]!)));
  code.push(...assign(v + 15, xor64(flagMask(1), initial[7]!)));
  for (let round = 0; round < rounds; round++) code.push(...mixRound(wordOrders[round % wordOrders.length]!));
  for (let i = 0; i < 8; i++) {
    code.push(...store64(out, 8 * i, xor64(load64(chain, 8 * i), xor64(local(v + i), local(v + 8 + i)))));
  }
  code.push(...store64(out, 64, local(counterLow)), ...store64(out, 72, local(counterHigh)));
  return code;
}

/** 2^64 - 1 where the bit of `flags` is set, else 0. */
function flagMask(bit: number): WasmCode {
  return subtract64(constant64(0n), extend(and32(shiftRight32(flags, constant32(bit)), constant32(1))));
}

function mixRound(order: readonly number[]): WasmCode {
  const code: number[] = [];
  for (let lane = 0; lane < 8; lane++) {
    const [a, b, c, d] = lanes[lane]!;
    const x = local(m + order[2 * lane]!);
    const y = local(m + order[2 * lane + 1]!);
    code.push(
      ...assign(v + a, add64(add64(local(v + a), local(v + b)), x)),
      ...assign(v + d, rotateRight64(xor64(local(v + d), local(v + a)), 32)),
      ...assign(v + c, add64(local(v + c), local(v + d))),
      ...assign(v + b, rotateRight64(xor64(local(v + b), local(v + c)), 24)),
      ...assign(v + a, add64(add64(local(v + a), local(v + b)), y)),
      ...assign(v + d, rotateRight64(xor64(local(v + d), local(v + a)), 16)),
      ...assign(v + c, add64(local(v + c), local(v + d))),
      ...assign(v + b, rotateRight64(xor64(local(v + b), local(v + c)), 63)),
    );
  }
  return code;
}

function absorbCode(): WasmCode {
  const [chainOfAll, next, left] = [local(0), local(1), local(2)];
  return repeatWhile(left, [
    ...call(0, chainOfAll, next, add32(next, constant32(112)), constant32(128), constant32(0), chainOfAll),
    ...assign(1, add32(next, constant32(128))),
    ...assign(2, add32(left, constant32(-1))),
  ]);
}
