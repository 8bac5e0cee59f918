import { expect, test } from "vitest";
import type { SnapshotStorage } from "../place/SnapshotStorage.js";

const bytesOf = (text: string) => new TextEncoder().encode(text);

/** Tests the contract of every place. @param open the same place each time */
export function testPlace(open: () => SnapshotStorage): void {
  test("an object is stored as a whole; a missing one is not confused with an empty one", async () => {
    const place = open();
    expect(await place.has("manifests/one")).toBe(false);
    expect(await place.get("manifests/one", 100)).toBeUndefined();
    expect(await place.list("manifests/")).toEqual([]);
    await place.put("manifests/one", bytesOf("first"));
    await place.put("manifests/one", bytesOf("second"));
    expect(await place.has("manifests/one")).toBe(true);
    expect(new TextDecoder().decode(await place.get("manifests/one", 6))).toBe("second");
    expect(await place.get("manifests/one", 5)).toBeUndefined();
    const large = new Uint8Array(3 << 20).map((_, at) => at * 7);
    await place.put("chunks/ab/large", large);
    expect(Buffer.compare((await place.get("chunks/ab/large", large.length))!, large)).toBe(0);
    await expect(place.get("chunks/ab/large", large.length, AbortSignal.abort())).rejects.toThrow("abort");
  });

  test("all that begins so is listed, and nothing else", async () => {
    const place = open();
    const names = Array.from({ length: 7 }, (_, at) => `chunks/c${at}/${"0".repeat(at + 1)}`);
    for (const name of names) await place.put(name, bytesOf(name));
    await place.put("other/file", bytesOf("x"));
    const listed = await place.list("chunks/c");
    expect(listed.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
    for (const { name, bytes, changedMs } of listed) {
      expect(bytes).toBe(name.length);
      expect(changedMs).toBeGreaterThan(1_000_000_000_000);
    }
  });

  test("what is deleted is gone, also twice", async () => {
    const place = open();
    await place.put("chunks/d/gone", bytesOf("x"));
    for (let times = 0; times < 2; times += 1) await place.delete("chunks/d/gone");
    expect(await place.has("chunks/d/gone")).toBe(false);
    expect(await place.list("chunks/d/")).toEqual([]);
  });
}
