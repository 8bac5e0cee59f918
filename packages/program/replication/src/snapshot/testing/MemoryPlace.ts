import type { SnapshotStorage, StoredFile } from "../place/SnapshotStorage.js";

/** A place with files that a test may read and damage. */
export class MemoryPlace implements SnapshotStorage {
  readonly label = "memory";
  readonly files = new Map<string, { bytes: Uint8Array; changedMs: number }>();
  writes = 0;

  async put(name: string, bytes: Uint8Array): Promise<void> {
    this.writes += 1;
    this.files.set(name, { bytes, changedMs: 0 });
  }

  async get(name: string, maxBytes: number, signal?: AbortSignal): Promise<Uint8Array | undefined> {
    signal?.throwIfAborted();
    const bytes = this.files.get(name)?.bytes;
    return bytes !== undefined && bytes.length <= maxBytes ? bytes : undefined;
  }

  async has(name: string): Promise<boolean> {
    return this.files.has(name);
  }

  async list(beginning: string): Promise<readonly StoredFile[]> {
    const found = [...this.files].filter(([name]) => name.startsWith(beginning));
    return found.map(([name, { bytes, changedMs }]) => ({ name, bytes: bytes.length, changedMs }));
  }

  async delete(name: string): Promise<void> {
    this.files.delete(name);
  }
}
