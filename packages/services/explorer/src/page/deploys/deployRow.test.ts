import { expect, test } from "vitest";
import { withNewer } from "./deployRow.js";

const deploy = (id: string, blockNumber: number) => ({
  ...{ id, blockNumber, deployer: "", cost: 0n, errored: false, blockHash: "" },
});
const ids = (deploys: readonly { readonly id: string }[]) => deploys.map(({ id }) => id).join("");

test("newer deploys are above, each deploy once, and those older than the list are left out", () => {
  const listed = [deploy("c", 7), deploy("b", 5)];
  expect(ids(withNewer(listed, [deploy("e", 8), deploy("d", 9), deploy("c", 7), deploy("a", 4)]))).toBe("decb");
  expect(ids(withNewer([], [deploy("a", 1)]))).toBe("a");
  expect(ids(withNewer(listed, []))).toBe("cb");
});
