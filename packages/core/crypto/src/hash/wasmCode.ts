/**
 * The few parts of the WebAssembly binary format that the compression function needs.
 *
 * This program assembles the module at import. So the repository has no binary file of unknown origin. A piece of code
 * is the list of its bytes; an expression leaves one value.
 *
 * @spec 21 §2.1
 */
export type WasmCode = readonly number[];

/** `local.get` @spec 21 §2.1 */
export function local(index: number): WasmCode {
  return [0x20, ...unsignedBytes(index)];
}

/** `local.set` @spec 21 §2.1 */
export function assign(index: number, value: WasmCode): WasmCode {
  return [...value, 0x21, ...unsignedBytes(index)];
}

/** `i64.load` of memory that need not be aligned @spec 21 §2.1 */
export function load64(address: WasmCode, offset: number): WasmCode {
  return [...address, 0x29, 0, ...unsignedBytes(offset)];
}

/** `i64.store` to memory that need not be aligned @spec 21 §2.1 */
export function store64(address: WasmCode, offset: number, value: WasmCode): WasmCode {
  return [...address, ...value, 0x37, 0, ...unsignedBytes(offset)];
}

/** `i32.const` @spec 21 §2.1 */
export function constant32(value: number): WasmCode {
  return [0x41, ...signedBytes(BigInt(value))];
}

/** `i64.const` @spec 21 §2.1 */
export function constant64(value: bigint): WasmCode {
  return [0x42, ...signedBytes(BigInt.asIntN(64, value))];
}

/** `i32.add` @spec 21 §2.1 */
export function add32(a: WasmCode, b: WasmCode): WasmCode {
  return [...a, ...b, 0x6a];
}

/** `i32.and` @spec 21 §2.1 */
export function and32(a: WasmCode, b: WasmCode): WasmCode {
  return [...a, ...b, 0x71];
}

/** `i32.shr_u` @spec 21 §2.1 */
export function shiftRight32(a: WasmCode, b: WasmCode): WasmCode {
  return [...a, ...b, 0x76];
}

/** `i32.ne` @spec 21 §2.1 */
export function differ32(a: WasmCode, b: WasmCode): WasmCode {
  return [...a, ...b, 0x47];
}

/** `i64.eqz` @spec 21 §2.1 */
export function isZero64(a: WasmCode): WasmCode {
  return [...a, 0x50];
}

/** `i64.add` @spec 21 §2.1 */
export function add64(a: WasmCode, b: WasmCode): WasmCode {
  return [...a, ...b, 0x7c];
}

/** `i64.sub` @spec 21 §2.1 */
export function subtract64(a: WasmCode, b: WasmCode): WasmCode {
  return [...a, ...b, 0x7d];
}

/** `i64.xor` @spec 21 §2.1 */
export function xor64(a: WasmCode, b: WasmCode): WasmCode {
  return [...a, ...b, 0x85];
}

/** `i64.rotr` @spec 21 §2.1 */
export function rotateRight64(a: WasmCode, bits: number): WasmCode {
  return [...a, ...constant64(BigInt(bits)), 0x8a];
}

/** `i64.extend_i32_u` @spec 21 §2.1 */
export function extend(a: WasmCode): WasmCode {
  return [...a, 0xad];
}

/** `call` of the function with this number @spec 21 §2.1 */
export function call(target: number, ...parameters: readonly WasmCode[]): WasmCode {
  return [...parameters.flat(), 0x10, ...unsignedBytes(target)];
}

/** Runs `body` once, and again while `condition` is not 0 after it. @spec 21 §2.1 */
export function repeatWhile(condition: WasmCode, body: WasmCode): WasmCode {
  return [0x03, 0x40, ...body, ...condition, 0x0d, 0x00, 0x0b];
}

/** One function of a module: all parameters are `i32`, all other locals `i64`; it returns nothing. @spec 21 §2.1 */
export type WasmFunction = {
  readonly name: string;
  readonly parameters: number;
  readonly locals64: number;
  readonly code: WasmCode;
};

/**
 * Puts functions and one memory of fixed size into a module that exports them all.
 *
 * @spec 21 §2.1
 * @param pages size of the memory in pages of 64 KiB; its name is `memory`
 */
export function encodeWasmModule(functions: readonly WasmFunction[], pages: number): Uint8Array {
  const types = functions.map(({ parameters }) => [0x60, ...vector(new Array<WasmCode>(parameters).fill([0x7f])), 0]);
  const numbers = functions.map((_, index) => unsignedBytes(index));
  const exported = functions.map(({ name }, index) => [...text(name), 0x00, ...unsignedBytes(index)]);
  const bodies = functions.map(({ locals64, code }) => {
    const body = [0x01, ...unsignedBytes(locals64), 0x7e, ...code, 0x0b];
    return [...unsignedBytes(body.length), ...body];
  });
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...section(1, types),
    ...section(3, numbers),
    ...section(5, [[0x01, ...unsignedBytes(pages), ...unsignedBytes(pages)]]),
    ...section(7, [[...text("memory"), 0x02, 0x00], ...exported]),
    ...section(10, bodies),
  ]);
}

function section(id: number, items: readonly WasmCode[]): WasmCode {
  const content = vector(items);
  return [id, ...unsignedBytes(content.length), ...content];
}

function vector(items: readonly WasmCode[]): WasmCode {
  return [...unsignedBytes(items.length), ...items.flat()];
}

function text(name: string): WasmCode {
  const bytes = [...name].map((character) => character.charCodeAt(0));
  return [...unsignedBytes(bytes.length), ...bytes];
}

function unsignedBytes(value: number): WasmCode {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 0x80) {
    bytes.push((rest & 0x7f) | 0x80);
    rest >>>= 7;
  }
  bytes.push(rest);
  return bytes;
}

function signedBytes(value: bigint): WasmCode {
  const bytes: number[] = [];
  for (let rest = value; ; ) {
    const byte = Number(rest & 0x7fn);
    rest >>= 7n;
    const isLast = (rest === 0n && byte < 0x40) || (rest === -1n && byte >= 0x40);
    bytes.push(isLast ? byte : byte | 0x80);
    if (isLast) return bytes;
  }
}
