import type { ConsumeEvent, ProduceEvent } from "./Event.js";

const slotCount = 4096;
/** Where the second hash of a message begins: behind two heads and the hash of a channel. */
const hashOffset = 36;
/** Two heads and two hashes, with which most produces and consumes begin. */
export const twoHashes = 68;

/**
 * The produces and consumes of one block by their bytes. Each is written again in the COMMs that it takes part in;
 * there what was read before serves again.
 *
 * Two that share a slot displace each other, so that a hostile block can do no worse than not to be helped.
 */
export class EventTable {
  private readonly produces = new Array<ProduceEvent | undefined>(slotCount).fill(undefined);
  private readonly produceStarts = new Int32Array(slotCount);
  private readonly consumes = new Array<ConsumeEvent | undefined>(slotCount).fill(undefined);
  private readonly consumeStarts = new Int32Array(slotCount);
  private readonly consumeEnds = new Int32Array(slotCount);

  /** Returns a produce with a message that begins with the same two hashes; the bytes after them may differ. */
  findProduce(bytes: Uint8Array, start: number, end: number): ProduceEvent | undefined {
    if (!beginsWithHashes(bytes, start, end)) return undefined;
    const slot = slotOf(bytes, start);
    const known = this.produces[slot];
    return known !== undefined && areEqual(bytes, start, this.produceStarts[slot]!, twoHashes) ? known : undefined;
  }

  /** A message that contains one of its hashes twice, with another value than the first, is not kept. */
  keepProduce(bytes: Uint8Array, start: number, end: number, event: ProduceEvent): void {
    if (!beginsWithHashes(bytes, start, end)) return;
    if (!standsAt(event.channelsHash, bytes, start + 2) || !standsAt(event.hash, bytes, start + hashOffset)) return;
    const slot = slotOf(bytes, start);
    this.produces[slot] = event;
    this.produceStarts[slot] = start;
  }

  /** The consume that was read from the same bytes. */
  findConsume(bytes: Uint8Array, start: number, end: number): ConsumeEvent | undefined {
    if (end - start < twoHashes) return undefined;
    const slot = slotOf(bytes, start);
    const known = this.consumes[slot];
    const other = this.consumeStarts[slot]!;
    if (known === undefined || this.consumeEnds[slot]! - other !== end - start) return undefined;
    return areEqual(bytes, start, other, end - start) ? known : undefined;
  }

  keepConsume(bytes: Uint8Array, start: number, end: number, event: ConsumeEvent): void {
    if (end - start < twoHashes) return;
    const slot = slotOf(bytes, start);
    this.consumes[slot] = event;
    this.consumeStarts[slot] = start;
    this.consumeEnds[slot] = end;
  }
}

/** Whether fields 1 and 2 come first and have 32 bytes each. */
function beginsWithHashes(bytes: Uint8Array, start: number, end: number): boolean {
  return (
    end - start >= twoHashes &&
    bytes[start] === 0x0a &&
    bytes[start + 1] === 32 &&
    bytes[start + 34] === 0x12 &&
    bytes[start + 35] === 32
  );
}

function areEqual(bytes: Uint8Array, left: number, right: number, length: number): boolean {
  for (let i = 0; i < length; i += 1) if (bytes[left + i] !== bytes[right + i]) return false;
  return true;
}

function standsAt(hash: Uint8Array, bytes: Uint8Array, at: number): boolean {
  if (hash.length !== 32) return false;
  for (let i = 0; i < 32; i += 1) if (hash[i] !== bytes[at + i]) return false;
  return true;
}

function slotOf(bytes: Uint8Array, start: number): number {
  const at = start + hashOffset;
  return (bytes[at]! | (bytes[at + 1]! << 8)) & (slotCount - 1);
}
