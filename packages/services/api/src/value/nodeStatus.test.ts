import { expect, test } from "vitest";
import { apiStatusBody, type NetworkFacts, type NodeStatusView, peersBody, statusBody } from "./nodeStatus.js";

const network: NetworkFacts = { networkId: "n", shardId: "root", minPhloPrice: 1n };
const f1r3node = {
  ...{ nativeTokenName: "Coin", nativeTokenSymbol: "C", nativeTokenDecimals: 8 },
  ...{ epochLength: 10, isValidator: false },
};

function statusAt(finalizedBlockNumber: bigint | undefined): NodeStatusView {
  return {
    ...{ address: "", version: "Vedette", peers: 0, nodes: 0, peerList: [] },
    syncStatus: {
      ...{ phase: "following", blockNumber: 25n, bestPeerBlockNumber: 25n, finalizedBlockNumber },
      progress: { unit: "blocks", done: 0, total: 0, perSecond: 0 },
      ...{
        blocksPerSecond: 0,
        secondsLeft: 0,
        peers: 0,
        unvalidatedBlocks: 0,
        revalidatedBlocks: 0,
        lastError: undefined,
      },
    },
  };
}

test("the status of an f1r3node node has its token, its epoch and its role", () => {
  expect(apiStatusBody(statusAt(23n), { ...network, f1r3node })).toMatchObject({
    ...{ nativeTokenName: "Coin", nativeTokenSymbol: "C", nativeTokenDecimals: 8, epochLength: 10 },
    ...{ lastFinalizedBlockNumber: 23n, currentEpoch: 2n, isValidator: false, isReadOnly: true, isReady: true },
  });
  expect(apiStatusBody(statusAt(undefined), { ...network, f1r3node })).toMatchObject({
    ...{ lastFinalizedBlockNumber: -1n, currentEpoch: 0n, isReady: false },
  });
});

test("the status of an rnode node has none of these members", () => {
  const members = Object.keys(apiStatusBody(statusAt(23n), network));
  expect(members.filter((name) => name in { ...f1r3node, isReady: 0, currentEpoch: 0 })).toEqual([]);
});

test("version and height of a peer are in /v2/peers alone: the lists of the status routes are the references'", () => {
  const peer = { address: "rnode://a", nodeId: "a", host: "h", protocolPort: 1, discoveryPort: 2, isConnected: true };
  const peerList = [{ ...peer, version: "Vedette 1", blockNumber: 7n }, peer];
  const status = { ...statusAt(23n), peerList };
  expect(statusBody(status)["peerList"]).toEqual([peer, peer]);
  expect(apiStatusBody(status, network)["peerList"]).toEqual([peer, peer]);
  expect(peersBody(status).peers).toEqual([peerList[0], { ...peer, version: null, blockNumber: null }]);
});
