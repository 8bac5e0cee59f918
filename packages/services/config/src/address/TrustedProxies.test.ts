import { expect, test } from "vitest";
import { parseAddressRange, plainAddress } from "./plainAddress.js";
import { TrustedProxies } from "./TrustedProxies.js";

test("an address has one form", () => {
  expect(["::ffff:cb00:7105", "::FFFF:203.0.113.5", "203.0.113.5"].map(plainAddress)).toEqual(
    new Array(3).fill("203.0.113.5"),
  );
  expect(["2001:0DB8:0:0::1", "2001:db8::1", "2001:db8::1%eth0"].map(plainAddress)).toEqual(
    new Array(3).fill("2001:db8::1"),
  );
  expect(["", "localhost", "1.2.3", "01.2.3.4", "1.2.3.4:5", "[::1]", "::1::"].map(plainAddress)).toEqual(
    new Array(7).fill(undefined),
  );
});

test("networks are addresses with the number of bits that count", () => {
  expect(parseAddressRange(" 10.0.0.0/8 ")).toEqual({ address: "10.0.0.0", bits: 8, family: "ipv4" });
  expect(parseAddressRange("192.0.2.1")).toEqual({ address: "192.0.2.1", bits: 32, family: "ipv4" });
  expect(parseAddressRange("2001:db8::/32")).toEqual({ address: "2001:db8::", bits: 32, family: "ipv6" });
  expect(parseAddressRange("::ffff:10.0.0.0/104")).toEqual({ address: "10.0.0.0", bits: 8, family: "ipv4" });
  const wrong = ["", "proxy", "10.0.0.0/33", "10.0.0.0/0", "::/0", "::1/129", "10.0.0.0/", "10.0.0.0/-1", "a/8", "*"];
  expect(wrong.map(parseAddressRange)).toEqual(wrong.map(() => undefined));
});

const both = (networks: readonly string[]) => ({
  xff: (peer: string, text: string | undefined) =>
    new TrustedProxies(networks, "x-forwarded-for").clientOf(peer, {
      "x-forwarded-for": text,
      forwarded: "for=6.6.6.6",
    }),
  forwarded: (peer: string, text: string | undefined) =>
    new TrustedProxies(networks, "forwarded").clientOf(peer, { forwarded: text, "x-forwarded-for": "6.6.6.6" }),
});

test("a peer that is no trusted proxy is the client, whatever headers it sends", () => {
  const { xff, forwarded } = both(["10.0.0.1", "2001:db8:5::/48"]);
  expect(xff("10.0.0.2", "203.0.113.5")).toBe("10.0.0.2");
  expect(forwarded("10.0.0.2", "for=203.0.113.5")).toBe("10.0.0.2");
  expect(xff("2001:db8:6::1", "203.0.113.5")).toBe("2001:db8:6::1");
  expect(both([]).xff("127.0.0.1", "203.0.113.5")).toBe("127.0.0.1");
  expect(TrustedProxies.none.clientOf(undefined, {})).toBeUndefined();
});

test("a trusted proxy names its client in any notation", () => {
  const { xff, forwarded } = both(["10.0.0.1", "2001:db8:5::/48"]);
  for (const peer of ["10.0.0.1", "::ffff:10.0.0.1", "2001:db8:5::9"]) {
    for (const text of [
      "203.0.113.5",
      " 203.0.113.5 ",
      "203.0.113.5:4711",
      "::ffff:203.0.113.5",
      "[::ffff:cb00:7105]:1",
    ])
      expect(xff(peer, text)).toBe("203.0.113.5");
    expect(xff(peer, "[2001:DB8::1]:4711")).toBe("2001:db8::1");
    const said = [
      "for=203.0.113.5",
      'For="203.0.113.5:4711"',
      "proto=https;for=203.0.113.5;by=10.0.0.1",
      'host="a;b";for=203.0.113.5',
    ];
    expect(said.map((text) => forwarded(peer, text))).toEqual(["203.0.113.5", "203.0.113.5", "203.0.113.5", peer]);
    expect(forwarded(peer, 'for="[2001:db8::1]:4711"')).toBe("2001:db8::1");
  }
});

test("addresses before the last one that is no proxy's are ignored", () => {
  const { xff, forwarded } = both(["10.0.0.0/8"]);
  expect(xff("10.0.0.1", "127.0.0.1, 203.0.113.5")).toBe("203.0.113.5");
  expect(xff("10.0.0.1", "127.0.0.1, 203.0.113.5,10.0.0.7 , 10.0.0.8")).toBe("203.0.113.5");
  expect(forwarded("10.0.0.1", "for=127.0.0.1, for=203.0.113.5;proto=http, for=10.0.0.7")).toBe("203.0.113.5");
  expect(forwarded("10.0.0.1", 'for=127.0.0.1;x=", for="[2001:db8::1]"')).toBe("2001:db8::1");
  expect(xff("10.0.0.1", "10.0.0.2, 10.0.0.3")).toBe("10.0.0.2");
});

test("a header without a client's address counts the request for the nearest trusted proxy", () => {
  const { xff, forwarded } = both(["10.0.0.0/8"]);
  const nameless = [undefined, "", ",", "unknown", "localhost", "203.0.113.5,", "203.0.113.5, x", "1".repeat(600)];
  expect(nameless.map((text) => xff("10.0.0.1", text))).toEqual(nameless.map(() => "10.0.0.1"));
  const odd = ["for", "for=", "for=_hidden", 'for="', "for=1.1.1.1;for=2.2.2.2", "by=2.2.2.2", "for=1.1.1.1 x", "="];
  expect(odd.map((text) => forwarded("10.0.0.1", text))).toEqual(odd.map(() => "10.0.0.1"));
  expect(xff("10.0.0.1", "203.0.113.5, unknown, 10.0.0.2")).toBe("10.0.0.2");
});

test("a header without end costs no more than a few addresses", () => {
  const { xff } = both(["10.0.0.0/8"]);
  expect(xff("10.0.0.1", `203.0.113.5,${"10.0.0.2,".repeat(10_000)}10.0.0.3`)).toBe("10.0.0.2");
});
