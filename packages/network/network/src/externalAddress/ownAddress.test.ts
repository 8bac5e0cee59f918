import { expect, test } from "vitest";
import { isUsableHost } from "../discovery/publicHost.js";
import type { NetworkEvent } from "../NetworkEvent.js";
import { checkOwnHost, guessOwnHost } from "./ownAddress.js";

const addresses: Readonly<Record<string, string>> = { home: "192.168.1.2", world: "203.0.113.7", six: "2001:db8::1" };
const resolve = async (host: string) => {
  const address = addresses[host] ?? (host.includes(".") || host.includes(":") ? host : undefined);
  if (address === undefined) throw new Error("ENOTFOUND");
  return address;
};

test("only hosts with public addresses are usable, unless private ones are allowed", async () => {
  const hosts = [
    "world",
    "six",
    "home",
    "127.0.0.1",
    "169.254.1.1",
    "224.0.0.1",
    "::1",
    "fe80::1",
    "0.0.0.0",
    "::",
    "x",
  ];
  const usable = async (allowPrivate: boolean) => {
    const answers = await Promise.all(hosts.map((host) => isUsableHost(host, allowPrivate, resolve)));
    return hosts.filter((_, index) => answers[index]);
  };
  expect(await usable(false)).toEqual(["world", "six"]);
  expect(await usable(true)).toEqual(hosts.slice(0, -3));
  await expect(checkOwnHost("home", false, resolve)).rejects.toThrow("Invalid Kademlia hostname home");
});

test("the own address is requested in rnode's order, and nonsense is no answer", async () => {
  const events: NetworkEvent[] = [];
  const emit = (event: NetworkEvent) => void events.push(event);
  const none = { fetchText: async () => "<html>", requestRouter: async () => undefined };
  expect(await guessOwnHost(none, emit)).toBe("localhost");
  expect(await guessOwnHost({ ...none, requestRouter: async () => "203.0.113.7" }, emit)).toBe("203.0.113.7");
  const second = async (url: string) => (url.includes("amazon") ? undefined : "203.0.113.8\n");
  expect(await guessOwnHost({ ...none, fetchText: second }, emit)).toBe("203.0.113.8");
  expect(events.map((event) => event.type === "ownAddressGuessed" && event.source)).toEqual([
    "failed to guess",
    "UPnP",
    "WhatIsMyIP service",
  ]);
});
