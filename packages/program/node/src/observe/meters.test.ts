import { readFileSync } from "node:fs";
import { parse } from "node:path";
import { fileURLToPath } from "node:url";
import { readConfig } from "@vedette/config";
import type { ExecutorClient } from "@vedette/executor/threads";
import Fastify from "fastify";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { watchReplica } from "../replica/watchReplica.js";
import { measuredExecutor } from "./measuredExecutor.js";
import { Meters } from "./meters.js";
import { watchConnections, watchNode, watchRequests } from "./watchNode.js";

const root = new URL("../../../../../", import.meta.url);
const fileOf = (path: string) => readFileSync(new URL(path, root), "utf8");

function watched(): Meters {
  const meters = new Meters();
  watchNode(meters, {
    version: "Vedette 1.2.3",
    stores: { chain: parse(process.cwd()).root, state: "/nowhere" },
    executorCalls: () => 2,
    readers: { waiting: 3, busy: 1 },
    pooledDeploys: () => 4,
    eventReaders: () => 7,
    peerConnections: () => ({ protocol: { handshake: 8, idle: 9, busy: 10, terminating: 11 } }),
    blocks: () => ({ waiting: 5, ready: 6, unjudged: 7 }),
    status: () => ({
      phase: "replaying",
      blockNumber: 100n,
      bestPeerBlockNumber: 120n,
      finalizedBlockNumber: undefined,
      conditions: [{ code: "diskFull", sinceMs: 0, reason: "no room" }],
    }),
  });
  watchConnections(meters, {
    grpc: () => ({ external: { idle: 1, busy: 2, terminating: 3 }, internal: { idle: 0, busy: 0, terminating: 0 } }),
    http: () => ({ public: { idle: 4, busy: 5 } }),
  });
  const publisher = { name: "one", lastHeartbeatAgeMs: 900, eventsLeft: 0, isNodeRunning: true };
  watchReplica(meters, () => ({
    ...{ server: "nats://127.0.0.1:4222", isConnected: true, sequence: 12, messagesPending: 13, messagesSkipped: 2 },
    ...{
      lagMs: 1_500,
      lastTookMs: 40,
      stopReason: undefined,
      publishers: [publisher, { ...publisher, isNodeRunning: false }],
    },
  }));
  return meters;
}

const meters = watched();
let text: string;
beforeAll(async () => {
  meters.onBlockReplayed(250);
  meters.onGrpcCall("external", "/casper.v1.DeployService/status", 3);
  meters.onRequest({ server: "public", route: "/status", method: "GET", status: 200, seconds: 0.001 });
  text = await meters.text();
});

/** Names of all samples. */
function namesIn(metrics: string): Set<string> {
  return new Set([...metrics.matchAll(/^([a-zA-Z_]\w*)[{ ]/gm)].map((found) => found[1]!));
}

describe("what /metrics returns", () => {
  test("has rnode's names and numbers", () => {
    meters.onNetworkEvent({ type: "peersChanged", count: 3 }, 7);
    return meters.text().then((metrics) => {
      expect(metrics).toMatch(/^rchain_comm_rp_connect_peers (\d+).0\s*$/m);
      expect(metrics).toContain("\nrchain_comm_rp_connect_peers 3.0\n");
      expect(metrics).toContain("\nrchain_comm_discovery_kademlia_peers 7.0\n");
    });
  });

  test("has rnode's buckets and decimals", () => {
    const name = "rchain_casper_casper_block_processing_stage_replay_time_seconds";
    expect(text).toContain(`# TYPE ${name} histogram\n`);
    expect(text).toContain(`\n${name}_bucket{le="0.25"} 1.0\n`);
    expect(text).toContain(`\n${name}_bucket{le="+Inf"} 1.0\n`);
    expect(text).toContain(`\n${name}_count 1.0\n`);
  });

  test("has the numbers of the node's parts", () => {
    for (const line of [
      'vedette_info{version="Vedette 1.2.3"} 1',
      'vedette_phase{phase="replaying"} 1',
      'vedette_condition{condition="diskFull"} 1',
      'vedette_condition{condition="stalled"} 0',
      "vedette_block_number 100",
      "vedette_finalized_block_number 0",
      "vedette_best_peer_block_number 120",
      "vedette_executor_calls 2",
      'vedette_reader_calls{state="waiting"} 3',
      "vedette_pool_deploys 4",
      'vedette_blocks_pending{state="ready"} 6',
      'vedette_store_bytes{store="state"} 0',
      'vedette_grpc_connections{port="external",state="terminating"} 3',
      'vedette_grpc_connections{port="internal",state="idle"} 0',
      'vedette_http_connections{port="public",state="busy"} 5',
      'vedette_peer_connections{port="protocol",state="handshake"} 8',
      'vedette_log_lines_total{level="error"} 0',
      "vedette_replica_lag_seconds 1.5",
      "vedette_replica_messages_pending 13",
      "vedette_replica_connected 1",
      "vedette_replica_last_block_seconds 0.04",
    ])
      expect(text).toContain(`\n${line}\n`);
  });
});

/** Names of metrics in an expression. */
const namesOf = (expression: string) => expression.match(/\b(?:rchain|vedette|process|nodejs)_\w+/g) ?? [];

describe.each(["vedette", "fleet"])("the dashboard %s", (name) => {
  const dashboard = JSON.parse(fileOf(`docker/grafana/dashboards/${name}.json`));
  const expressions: string[] = dashboard.panels.flatMap((panel: { targets?: { expr: string }[] }) =>
    (panel.targets ?? []).map(({ expr }) => expr),
  );

  test("is whole: identities are its own, places do not overlap", () => {
    const { panels } = dashboard;
    expect(panels.length).toBeGreaterThan(10);
    expect(new Set(panels.map(({ id }: { id: number }) => id)).size).toBe(panels.length);
    const taken = new Set<string>();
    for (const { gridPos, title } of panels) {
      expect(title).toBeTruthy();
      expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
      for (let y = gridPos.y; y < gridPos.y + gridPos.h; y += 1)
        for (let x = gridPos.x; x < gridPos.x + gridPos.w; x += 1) {
          expect(taken.has(`${x},${y}`)).toBe(false);
          taken.add(`${x},${y}`);
        }
    }
  });

  test.each(expressions)("names metrics that there are: %s", (expression) => {
    const names = namesOf(expression);
    expect(names.length).toBeGreaterThan(0);
    for (const name of names) expect([...namesIn(text)]).toContain(name);
    // Brackets come in pairs, and every query chooses the node.
    for (const [open, close] of ["()", "{}", "[]"])
      expect(expression.split(open!).length).toBe(expression.split(close!).length);
    expect(expression).toContain('instance=~"$instance"');
  });
});

describe("the files for Prometheus and Grafana", () => {
  test.each(["alerts.yml", "fleetAlerts.yml"])("the alerts of %s name metrics that there are", (file) => {
    const expected = [...fileOf(`docker/${file}`).matchAll(/expr: (.*)/g)].flatMap((found) => namesOf(found[1]!));
    expect(expected.length).toBeGreaterThan(5);
    for (const name of expected) expect([...namesIn(text)]).toContain(name);
  });

  test("Prometheus scrapes the ports of the compose files", () => {
    const compose = fileOf("docker/network.yml");
    for (const [, name, port] of fileOf("docker/prometheus.yml").matchAll(/- (\w+):(\d+)$/gm)) {
      expect(compose).toContain(`  ${name}:\n`);
      expect(compose).toContain(`healthCheck.mjs", "${port}"]`);
    }
  });

  test("Prometheus scrapes all nodes and replicas of the fleet, by the ports of their configuration", () => {
    // Volumes have their names, too.
    const services = new Set(fileOf("docker/fleet.yml").match(/^ {2}(?:observer|replica)\d+(?=:$)/gm)!);
    const asked = [...fileOf("docker/fleetPrometheus.yml").matchAll(/- (\w+):(\d+)$/gm)];
    expect(asked.map(([, name]) => `  ${name}`)).toEqual([...services]);
    expect(asked.length).toBeGreaterThan(3);
    for (const [, name, port] of asked) {
      const configFile = fileURLToPath(new URL(`docker/conf/fleet-${name!.replace(/\d+$/, "")}.conf`, root));
      const { config } = readConfig({ home: "/", profile: "docker", configFile, environment: {} });
      expect(String(config["api-server.port-http"])).toBe(port);
    }
  });

  test("the overlay of a fleet puts its own files where Prometheus reads", () => {
    const overlay = fileOf("docker/fleetMonitoring.yml");
    const target = "/etc/prometheus/prometheus.yml:ro";
    expect(fileOf("docker/monitoring.yml")).toContain(`- ./prometheus.yml:${target}`);
    expect(overlay).toContain(`- ./fleetPrometheus.yml:${target}`);
    expect(overlay).toContain("- ./fleetAlerts.yml:/etc/prometheus/fleetAlerts.yml:ro");
    expect(fileOf("docker/fleetPrometheus.yml")).toContain("- /etc/prometheus/fleetAlerts.yml");
  });

  test("the overlay mounts files that there are", () => {
    const mounted = [...fileOf("docker/monitoring.yml").matchAll(/- \.\/([\w./-]+):/g)].map((found) => found[1]!);
    expect(mounted).toHaveLength(4);
    for (const path of ["prometheus.yml", "alerts.yml", "grafana/provisioning", "grafana/dashboards"])
      expect(mounted).toContain(path);
    expect(fileOf("docker/grafana/provisioning/datasources/prometheus.yml")).toContain("http://prometheus:9090");
  });
});

describe("requests", () => {
  const counting = new Meters();
  const server = Fastify();
  beforeAll(async () => {
    server.get("/block/:hash", async () => "block");
    watchRequests(counting, server, "public");
    await server.ready();
  });
  afterAll(() => server.close());

  test("are counted by route: requests cannot add labels", async () => {
    for (let i = 0; i < 50; i += 1) {
      await server.inject({ method: "GET", url: `/block/${i}` });
      await server.inject({ method: "GET", url: `/nothing/${i}` });
      await server.inject({ method: i % 2 === 0 ? ("PURGE" as "GET") : ("PROPFIND" as "GET"), url: `/${i}` });
    }
    const samples = (await counting.text())
      .split("\n")
      .filter((line) => line.startsWith("vedette_http_requests_total{"));
    expect(samples).toEqual([
      'vedette_http_requests_total{server="public",route="/block/:hash",method="GET",status="200"} 50',
      'vedette_http_requests_total{server="public",route="none",method="GET",status="404"} 50',
      'vedette_http_requests_total{server="public",route="none",method="other",status="404"} 50',
    ]);
  });
});

test("an executor's work is counted, also what fails", async () => {
  let release = () => {};
  const blocked = new Promise<void>((resolve) => (release = resolve));
  const reported: number[] = [];
  const fake = {
    replay: async () => blocked,
    hasRoot: async () => Promise.reject(new Error("no")),
    [Symbol.asyncDispose]: async () => void reported.push(-1),
  } as unknown as ExecutorClient;
  let now = 10;
  const { executor, pending } = measuredExecutor(
    fake,
    { onReplayed: (ms) => reported.push(ms), onFailed: () => undefined },
    () => now,
  );
  const replaying = executor.replay({} as never);
  await expect(executor.hasRoot({} as never)).rejects.toThrow("no");
  expect(pending()).toBe(1);
  now = 35;
  release();
  await replaying;
  expect([pending(), reported]).toEqual([0, [25]]);
  await executor[Symbol.asyncDispose]();
  expect(reported).toEqual([25, -1]);
});
