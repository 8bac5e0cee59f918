import { expect, test } from "vitest";
import { addressKey, isOwnMachine } from "./addressKey.js";

test("addresses of one IPv6 network share a limit", () => {
  expect(addressKey("10.1.2.3")).toBe("10.1.2.3");
  expect(addressKey("::ffff:10.1.2.3")).toBe("10.1.2.3");
  expect(addressKey("2001:db8:1:2:3:4:5:6")).toBe("2001:db8:1:2");
  expect(addressKey("2001:db8:1:2::6")).toBe("2001:db8:1:2");
  expect(addressKey("2001:db8::6")).toBe("2001:db8:0:0");
  expect(addressKey("fe80::1")).toBe(addressKey("fe80::2:1"));
});

test("this machine's own addresses are known", () => {
  expect(["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"].map(isOwnMachine)).toEqual([true, true, true, true]);
  expect(["10.0.0.1", "::2", "1127.0.0.1"].map(isOwnMachine)).toEqual([false, false, false]);
});
