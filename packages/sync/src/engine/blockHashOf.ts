const hashBytes = 32;

/**
 * The hash that a block's bytes begin with, without reading the block: reading one costs a signature check for every
 * deploy in it, which is only worth it for a block that was asked for.
 *
 * @spec 40 §1.1
 * @returns `undefined` for bytes that no encoder of blocks writes: fields stand in ascending order
 */
export function blockHashOf(content: Uint8Array): Uint8Array | undefined {
  const start = content[0] === 0x0a && content[1] === hashBytes ? 2 : -1;
  return start > 0 && content.length >= start + hashBytes ? content.subarray(start, start + hashBytes) : undefined;
}
