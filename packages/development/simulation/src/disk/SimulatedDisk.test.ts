import { StoreError } from "@vedette/store";
import { expect, test } from "vitest";
import { SimulatedDisk } from "./SimulatedDisk.js";

const process = { isAlive: true, crash: () => undefined };
const [key, value] = [Uint8Array.of(1), Uint8Array.of(2)];

function opened() {
  const disk = new SimulatedDisk(false);
  const { chain } = disk.open(process);
  const put = () => chain.write((tables) => tables("blocks").put(key, value));
  return { disk, put, read: () => chain.table("blocks").get(key) };
}

test("a checksum reports a flipped bit, many times, and the value is never returned", () => {
  const { disk, put, read } = opened();
  put();
  disk.flip({ environment: "chain", after: 1, times: 2 });
  expect(read()).toEqual(value);
  for (let time = 0; time < 2; time += 1) expect(read).toThrow(StoreError);
  expect([read(), disk.failures]).toEqual([value, 2]);
});

test("a full disk takes nothing until it has room again", () => {
  const { disk, put, read } = opened();
  disk.freeBytes = 0;
  expect(put).toThrow(expect.objectContaining({ failure: expect.objectContaining({ code: "full" }) }));
  expect(read()).toBeUndefined();
  disk.empty();
  put();
  expect(read()).toEqual(value);
});
