import { expect, test } from "vitest";
import type { Peer } from "../Peer.js";
import { UnprovenPeers } from "./UnprovenPeers.js";

const at = (id: string, host: string): Peer => ({ id, host, protocolPort: 1, discoveryPort: 2 });

test("a full list forgets the peer that was named longest ago; one that is named again is kept", () => {
  const waiting = new UnprovenPeers(3);
  for (const id of ["a", "b", "c", "a", "d"]) waiting.add(at(id, "192.0.2.1"));
  expect(waiting.peers.map(({ id }) => id)).toEqual(["c", "a", "d"]);
});

test("several addresses of one id wait each for itself", () => {
  const waiting = new UnprovenPeers(3);
  for (const host of ["192.0.2.1", "192.0.2.2"]) waiting.add(at("a", host));
  waiting.forget(at("a", "192.0.2.1"));
  expect(waiting.peers).toEqual([at("a", "192.0.2.2")]);
});
