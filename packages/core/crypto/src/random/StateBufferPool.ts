/**
 * Where serialized states of generators are kept: some of them side by side in one buffer.
 *
 * PERF: an array of more than 64 bytes lies outside the engine's heap and is expensive to make. The buffers are small
 * on purpose: each lives as long as the last of its states.
 */
class StateBufferPool {
  private buffer: ArrayBuffer;
  private used = 0;

  /** @param sizeBytes of one buffer, not less than a state has */
  constructor(private sizeBytes: number) {
    this.buffer = new ArrayBuffer(sizeBytes);
  }

  /** Returns room for a state, with undefined content. */
  take(length: number): Uint8Array {
    if (this.used + length > this.sizeBytes) this.begin();
    const state = new Uint8Array(this.buffer, this.used, length);
    this.used += length;
    return state;
  }

  /** Buffers have another size from now on. */
  resize(sizeBytes: number): void {
    this.sizeBytes = sizeBytes;
    this.begin();
  }

  private begin(): void {
    this.buffer = new ArrayBuffer(this.sizeBytes);
    this.used = 0;
  }
}

/** For those of rnode's networks: some twenty in one. */
export const rnodeRoom = new StateBufferPool(2048);
/**
 * For those of f1r3node's networks, of 536 bytes each: few in one, as a program may leave many behind of which one
 * is kept.
 */
export const f1r3nodeRoom = new StateBufferPool(8 * 536);

/**
 * Sets how many bytes of states share one buffer in this thread; by default a few do. The allocator frees a buffer of
 * 128 KiB or more as soon as none of its states is in use, while memory from its arenas stays. So large buffers suit a
 * thread that soon ends. In a long-lived thread a single state would hold all of its buffer.
 */
export function shareRandomStates(bytes: number): void {
  rnodeRoom.resize(bytes);
  f1r3nodeRoom.resize(bytes);
}
