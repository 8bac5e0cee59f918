import { useQuery } from "@tanstack/react-query";
import type { NetworkStatus, ReportedPeer } from "@vedette/client";
import { node } from "../../data/node.js";
import { useStatus } from "../../data/useStatus.js";
import { Badge } from "../../part/Badge.js";
import { Card, DescriptionList, Empty, Fact, PageHead, QueryView } from "../../part/Card.js";
import { Download } from "../../part/Download.js";
import { Copy, Hex } from "../../part/Hash.js";
import { hueOf } from "../../part/Identicon.js";
import { Table } from "../../part/Table.js";
import { Text } from "../../part/Text.js";
import { csvOf } from "../../text/csv.js";
import { printWhole } from "../../text/numbers.js";
import { commonBits, idOfAddress } from "./distance.js";

/** The node among its peers. */
export function NetworkPage() {
  const query = useStatus();
  return (
    <>
      <PageHead
        title="Network"
        about="This node in the middle, its peers around it. The more leading bits their ids share with its own, the nearer they are, as in the Kademlia table that discovery uses."
      />
      <QueryView query={query}>{(status) => <Network status={status} />}</QueryView>
    </>
  );
}

function Network({ status }: { readonly status: NetworkStatus }) {
  const own = idOfAddress(status.address);
  return (
    <div className="stack">
      <div className="two">
        <Card title="Distance of peers">
          <Rings own={own} peers={status.peerList} />
        </Card>
        <Card title="This node">
          <DescriptionList>
            <Fact name="Version">
              <Text of={status.version.node} />
            </Fact>
            <Fact name="Network">
              <Text of={status.networkId} />, shard <Text of={status.shardId} />
            </Fact>
            <Fact name="Peers">
              <span className="number">{printWhole(status.peers)}</span> connected,{" "}
              <span className="number">{printWhole(status.nodes)}</span> known
            </Fact>
            <Fact name="Address">
              <span className="mono">
                <Text of={status.address} />
              </span>{" "}
              <Copy text={status.address} what="address" />
            </Fact>
            <Fact name="Minimum phlo price">
              <span className="number">{printWhole(status.minPhloPrice)}</span>
            </Fact>
          </DescriptionList>
        </Card>
      </div>
      <Card title="Peers" aside="version as the peer announces it, height of the highest block that it has named">
        {status.peerList.length === 0 ? (
          <Empty>No peers. A development chain needs none.</Empty>
        ) : (
          <Peers own={own} status={status} />
        )}
      </Card>
    </div>
  );
}

/** Returns the peers, with version and height where the node reports them: earlier ones do not. */
function usePeers({ peerList }: NetworkStatus): readonly (ReportedPeer | NetworkStatus["peerList"][number])[] {
  const { data } = useQuery({
    queryKey: ["peers"],
    queryFn: ({ signal }) => node.peers({ signal }),
    refetchInterval: ({ state }) => (state.error === null ? 4_000 : false),
  });
  return data ?? peerList;
}

const notKnown = <span className="muted">not known</span>;

function Peers({ own, status }: { readonly own: string | undefined; readonly status: NetworkStatus }) {
  const peers = usePeers(status);
  return (
    <>
      <Table
        head={[
          "Node id",
          "Host",
          "Version",
          { name: "Highest block", isRight: true },
          { name: "Protocol port", isRight: true },
          { name: "Discovery port", isRight: true },
          { name: "Shared prefix (bits)", isRight: true },
          "State",
        ]}
      >
        {peers.map(({ nodeId, host, protocolPort, discoveryPort, isConnected, ...reported }) => (
          <tr key={nodeId}>
            <td>
              <Hex of={nodeId} what="node id" />
            </td>
            <td>
              <Text of={host} />
            </td>
            <td>{"version" in reported && reported.version !== null ? <Text of={reported.version} /> : notKnown}</td>
            <td className="right number">
              {"blockNumber" in reported && reported.blockNumber !== null
                ? `#${printWhole(reported.blockNumber)}`
                : notKnown}
            </td>
            <td className="right number">{protocolPort}</td>
            <td className="right number">{discoveryPort}</td>
            <td className="right number">{(own && commonBits(own, nodeId)) ?? "–"}</td>
            <td>{isConnected ? <Badge tone="good">Connected</Badge> : <Badge>Known</Badge>}</td>
          </tr>
        ))}
      </Table>
      <div className="more buttons">
        <Download name="peers.csv" what="the peers" make={async () => peersCsv(peers)} />
      </div>
    </>
  );
}

/** Values that are not known are empty. */
function peersCsv(peers: ReturnType<typeof usePeers>): string {
  return csvOf(
    ["node_id", "host", "version", "highest_block", "protocol_port", "discovery_port", "connected"],
    peers.map(({ nodeId, host, protocolPort, discoveryPort, isConnected, ...reported }) => [
      ...[nodeId, host, ("version" in reported ? reported.version : null) ?? ""],
      String(("blockNumber" in reported ? reported.blockNumber : null) ?? ""),
      ...[String(protocolPort), String(discoveryPort), String(isConnected)],
    ]),
  );
}

const rings = 5;
const bitsPerRing = 2;
const radius = (ring: number) => 176 - ring * 30;

function Rings({ own, peers }: { readonly own: string | undefined; readonly peers: NetworkStatus["peerList"] }) {
  const step = 0.618;
  return (
    <svg
      className="rings"
      viewBox="-200 -200 400 400"
      role="img"
      aria-label={`${peers.length} peers by distance; the table below has them in words`}
    >
      {Array.from({ length: rings }, (_, ring) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a ring is its number
        <circle key={ring} r={radius(ring)} className="ring" />
      ))}
      {peers.map(({ nodeId, isConnected }, index) => {
        const bits = (own && commonBits(own, nodeId)) || 0;
        const ring = Math.min(rings - 1, Math.floor(bits / bitsPerRing));
        const angle = 2 * Math.PI * ((index * step) % 1) - Math.PI / 2;
        const [x, y] = [Math.cos(angle) * radius(ring), Math.sin(angle) * radius(ring)];
        return (
          <g key={nodeId}>
            {isConnected && <line x2={x} y2={y} className="spoke" />}
            <circle cx={x} cy={y} r="8" fill={`hsl(${hueOf(nodeId)} 65% 55%)`} opacity={isConnected ? 1 : 0.45}>
              <title>{`${nodeId.slice(0, 12)}, ${bits} bits of shared prefix`}</title>
            </circle>
          </g>
        );
      })}
      <circle r="13" className="self" />
    </svg>
  );
}
