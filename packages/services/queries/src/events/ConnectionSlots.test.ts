import { expect, test } from "vitest";
import { ConnectionSlots } from "./ConnectionSlots.js";

function trial(inAll: number) {
  const slots = new ConnectionSlots({ inAll, perAddress: 160, limitsOwnMachine: true });
  const cut: string[] = [];
  const open = (address: string, name = "") => {
    const refusal = slots.refusal(address);
    return refusal ?? slots.take(address, () => void cut.push(address + name));
  };
  return { slots, cut, open };
}

test("when all places are taken, the address with most subscribers loses its oldest to one that would have fewer", () => {
  const { slots, cut, open } = trial(8);
  const leaves = Array.from({ length: 8 }, (_, at) => open("192.0.2.1", ` ${at}`));
  expect([open("192.0.2.1"), cut]).toEqual(["inAll", []]);
  for (const at of [0, 1, 2, 3]) expect([at, open("192.0.2.2")]).toEqual([at, expect.any(Function)]);
  expect(cut).toEqual(["192.0.2.1 0", "192.0.2.1 1", "192.0.2.1 2", "192.0.2.1 3"]);
  // Each has half.
  expect([open("192.0.2.2"), slots.count]).toEqual(["inAll", 8]);
  // A connection that was cut off releases its place only once.
  for (const leave of leaves) if (typeof leave === "function") leave();
  expect(slots.count).toBe(4);
});

test("no client loses a connection to one that would then have as many", () => {
  const { cut, open } = trial(4);
  for (const last of [1, 2, 3, 4]) open(`192.0.2.${last}`);
  expect([open("192.0.2.5"), cut]).toEqual(["inAll", []]);
});
