import type { NetworkEvent, Peer } from "@vedette/network";
import { expect, test } from "vitest";
import { PeerWatch } from "./PeerWatch.js";

const peerOf = (id: string): Peer => ({ id, host: `${id}.example`, protocolPort: 40400, discoveryPort: 40404 });
const bootstrap = peerOf("aa");
const failed = (peer: Peer, reason: string, wrongNetwork = false): NetworkEvent => ({
  ...{ type: "handshakeFailed", peer, reason, wrongNetwork },
});

function watch() {
  const clock = { nowMs: 100 };
  return { clock, peers: new PeerWatch(() => clock.nowMs, bootstrap) };
}

test("a bootstrap of another network is reported as such, with its own words", () => {
  const { peers } = watch();
  peers.onNetworkEvent(failed(peerOf("bb"), "connection refused"));
  peers.onNetworkEvent(failed(bootstrap, "The peer is of another network: theirs.", true));
  peers.onNetworkEvent(failed(peerOf("cc"), "connection refused"));
  expect(peers.find()).toEqual({
    ...{ code: "otherNetwork", sinceMs: 100 },
    reason:
      "rnode://aa@aa.example?protocol=40400&discovery=40404 refuses this node: The peer is of another network: theirs",
  });
});

test("a bootstrap that refuses, or is not there, is named with the reason", () => {
  const { peers } = watch();
  expect(peers.find()).toEqual({ code: "noPeers", sinceMs: 100, reason: "no peer is connected" });
  peers.onNetworkEvent(failed(bootstrap, "connection refused"));
  expect(peers.find()).toEqual({
    ...{ code: "noPeers", sinceMs: 100 },
    reason: "rnode://aa@aa.example?protocol=40400&discovery=40404 cannot be reached: connection refused",
  });
});

test("nothing is wrong while a peer is connected; without peers, the node is alone since the last one left", () => {
  const { clock, peers } = watch();
  peers.onNetworkEvent(failed(bootstrap, "connection refused"));
  peers.onNetworkEvent({ type: "peersChanged", count: 1 });
  expect(peers.find()).toBeUndefined();
  peers.onNetworkEvent(failed(peerOf("bb"), "of another network", true));
  clock.nowMs = 900;
  peers.onNetworkEvent({ type: "peersChanged", count: 0 });
  expect(peers.find()).toEqual({ code: "noPeers", sinceMs: 900, reason: "no peer is connected" });
});
