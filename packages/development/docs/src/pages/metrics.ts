import { watchConnections, watchNode, watchReplica } from "@vedette/node";
import { Meters } from "@vedette/node/run";
import { code, page, table } from "../markdown.js";

/** The parts of a metric that prom-client keeps, beyond its declaration. */
interface KnownMetric {
  readonly name: string;
  readonly type: unknown;
  readonly help: string;
  readonly labelNames?: readonly string[];
}

/** All metrics of Vedette; those of the process and of Node.js are prom-client's. @spec 50 §6.6 */
export function metricsPage(): string {
  const metrics = (watchedMeters().registry.getMetricsAsArray() as unknown as readonly KnownMetric[]).filter(
    ({ name }) => /^(rchain|vedette)_/.test(name),
  );
  const row = ({ name, type, help, labelNames = [] }: KnownMetric) => [
    code(name),
    String(type),
    labelNames.map(code).join(", "),
    help,
  ];
  return page(
    "Metrics",
    "`packages/program/node/src/observe/meters.ts`, `watchNode.ts` and `replica/watchReplica.ts`",
    "For operators. `GET /metrics` on the HTTP port serves these metrics in Prometheus' text format. Metrics of rnode keep their names and number format (`3.0`). Clients and peers cannot choose label values. The usual `process_*` and `nodejs_*` metrics are also present; `nodejs_eventloop_lag_*_seconds` is the delay of the main thread. Only replicas serve `vedette_replica_…`. Dashboard and alerts: [Operate a node](../how-to/operations.md#metrics); of a fleet: [Scale reads](../how-to/scale-reads.md).",
    table(["name", "kind", "labels", "what"], metrics.map(row)),
  );
}

/** Registers all metrics of a validator and of a replica, for their names and descriptions alone. */
function watchedMeters(): Meters {
  const meters = new Meters();
  watchNode(meters, {
    version: "",
    stores: {},
    executorCalls: () => 0,
    readers: { waiting: 0, busy: 0 },
    pooledDeploys: () => 0,
    eventReaders: () => 0,
    peerConnections: () => ({}),
    blocks: () => ({ waiting: 0, ready: 0, unjudged: 0 }),
    status: () => ({
      phase: "following",
      blockNumber: undefined,
      bestPeerBlockNumber: undefined,
      finalizedBlockNumber: undefined,
    }),
  });
  watchConnections(meters, { grpc: () => ({}), http: () => ({}) });
  watchReplica(meters, () => {
    throw new Error("the page reads no values");
  });
  return meters;
}
