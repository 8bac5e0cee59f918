import { bench } from "vitest";
import { SplittableRandom } from "./SplittableRandom.js";

const random = SplittableRandom.fromSeed(new Uint8Array(70)).splitByte(1);
const states = [random.splitByte(2).toBytes(), random.splitByte(3).toBytes()] as const;

bench("split and serialize", () => {
  random.splitByte(5).toBytes();
});
bench("split and draw a name", () => {
  random.splitByte(5).next();
});
bench("restore and merge two", () => {
  SplittableRandom.merge([SplittableRandom.fromBytes(states[0]), SplittableRandom.fromBytes(states[1])]);
});
