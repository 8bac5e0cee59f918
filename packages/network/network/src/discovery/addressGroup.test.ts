import { expect, test } from "vitest";
import { addressGroup } from "./addressGroup.js";

test("addresses that are probably one's have one group, and private ones have none in common", () => {
  const same = [
    ["203.0.113.7", "203.0.113.250"],
    ["2001:db8:1:2::7", "2001:db8:1:ffff::8"],
    ["2001:db8::7", "2001:db8:0:1::8"],
    ["node0.example.org", "Node1.example.org"],
  ] as const;
  for (const [one, other] of same) expect(addressGroup(one)).toBe(addressGroup(other));
  const apart = ["203.0.113.7", "203.0.114.7", "2001:db8:1::7", "2001:db8:2::7", "example.org", "example.net"];
  const local = [
    "127.0.0.1",
    "10.0.0.1",
    "10.0.0.2",
    "172.18.0.2",
    "172.18.0.3",
    "192.168.1.1",
    "192.168.1.2",
    "fd00::1",
  ];
  expect(new Set([...apart, ...local].map(addressGroup)).size).toBe(apart.length + local.length);
});
