import type { ChainEvent, ProposeEvent } from "@vedette/chain";
import type { Level } from "@vedette/config/log";
import type { NetworkEvent } from "@vedette/network";
import type { SyncEvent } from "@vedette/sync";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { NodeProposeEvent } from "../propose/NodeProposeEvent.js";
import { replayLimitText } from "./replayLimit.js";

/** rnode's buckets for times. @spec 50 §6.6 */
const timeBuckets = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10] as const;

/** One answer of an HTTP server. */
export interface AnsweredRequest {
  readonly server: "public" | "admin";
  /** The pattern of the route, never the requested path: it must not depend on clients. */
  readonly route: string;
  readonly method: string;
  readonly status: number;
  readonly seconds: number;
}

/** Methods that have a label value of their own; all others share one. */
const knownMethods: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "OPTIONS"]);

/**
 * The numbers of a running node, under rnode's names where it has them.
 *
 * Every label has few values, none of which a client or peer can choose.
 *
 * @spec 50 §6.6
 */
export class Meters {
  readonly registry = new Registry();
  readonly #peers = this.#gauge("rchain_comm_rp_connect_peers", "Connected peers.");
  readonly #knownPeers = this.#gauge("rchain_comm_discovery_kademlia_peers", "Peers in the discovery table.");
  readonly #packets = this.#counter("rchain_comm_rp_transport_packets_received_total", "Messages received from peers.");
  readonly #sent = this.#counter("rchain_comm_rp_transport_send_total", "Messages sent to peers.");
  readonly #dropped = this.#counter(
    "rchain_comm_rp_transport_packets_dropped_total",
    "Messages dropped: full queue or unwanted.",
  );
  readonly #disconnects = this.#counter("rchain_comm_rp_handle_disconnect_total", "Peers that disconnected.");
  readonly #hashes = this.#counter("rchain_casper_running_block_hash_received_total", "Block announcements received.");
  readonly #served = this.#counter("rchain_casper_running_block_request_received_total", "Block requests from peers.");
  readonly #requested = this.#counter(
    "rchain_casper_block_retriever_block_requests_total_total",
    "Blocks requested from peers.",
  );
  readonly #valid = this.#counter(
    "rchain_casper_block_processor_block_validation_success_total",
    "Blocks found valid.",
  );
  readonly #invalid = this.#counter(
    "rchain_casper_block_processor_block_validation_failed_total",
    "Blocks found invalid.",
  );
  readonly #validationSeconds = this.#times(
    "rchain_casper_block_processor_block_validation_time_seconds",
    "Time to validate a block; the share of a block validated with others.",
  );
  readonly #replaySeconds = this.#times(
    "rchain_casper_casper_block_processing_stage_replay_time_seconds",
    "Time to execute a block.",
  );
  readonly #replayed = this.#counter(
    "vedette_blocks_replayed_total",
    "Blocks executed; its rate is the speed of replay.",
  );
  readonly #finalized = this.#counter("vedette_blocks_finalized_total", "Blocks finalized.");
  readonly #stateItems = this.#counter("vedette_state_items_imported_total", "Items of states fetched from peers.");
  readonly #received = this.#counter("vedette_network_received_bytes_total", "Bytes of messages from peers.");
  readonly #sentBytes = this.#counter("vedette_network_sent_bytes_total", "Bytes of messages to peers.");
  readonly #deploys = this.#counter("vedette_deploys_received_total", "Deploys accepted from users.");
  readonly #beyondLimits = this.#counter(
    "vedette_blocks_over_limit_total",
    "Blocks beyond this node's limits (docs/how-to/operations.md).",
  );
  readonly #revised = this.#counter(
    "vedette_blocks_revalidated_total",
    "Invalid blocks that became valid, because most of the stake builds on them. Above 0: a validator equivocates.",
  );
  readonly #leftOut = this.#counter(
    "vedette_deploys_skipped_total",
    "Attempts of deploys that failed to execute in time. Many: a sender delays others; see vedette_deploys_refused_total.",
  );
  readonly #harmedDeploys = this.#counter(
    "vedette_deploys_harmed_total",
    "Deploys lost or repeated when own blocks were merged; the log names them. Only on f1r3node networks.",
  );
  readonly #refusedDeploys = this.#counter(
    "vedette_deploys_refused_total",
    "Deploys refused after two failed attempts; the log has the reasons.",
  );
  readonly #damaged = this.#counter(
    "vedette_damaged_values_total",
    "Damaged values read from disk, by store; none is used. Above 0: check the disk, and run vedette db verify --repair.",
    ["store"],
  );
  readonly #restored = this.#counter("vedette_blocks_restored_total", "Damaged blocks restored from peers.");
  readonly #proposals = this.#counter("vedette_proposals_total", "Block proposals, by result.", ["result"]);
  readonly #logLines = this.#counter("vedette_log_lines_total", "Log lines, by level.", ["level"]);
  readonly #requests = this.#counter("vedette_http_requests_total", "HTTP requests, by server, route and status.", [
    "server",
    "route",
    "method",
    "status",
  ]);
  readonly #requestSeconds = this.#times("vedette_http_request_seconds", "Time to answer an HTTP request.", [
    "server",
    "route",
  ]);
  readonly #calls = this.#counter("vedette_grpc_calls_total", "gRPC calls, by port and method.", ["port", "method"]);
  readonly #keyRequests = this.#counter(
    "vedette_api_key_requests_total",
    "Requests with an API key, by key name, served or refused for too many.",
    ["key", "result"],
  );
  readonly #callSeconds = this.#times("vedette_grpc_call_seconds", "Time of a gRPC call.", ["port", "method"]);

  constructor() {
    collectDefaultMetrics({ register: this.registry });
    for (const level of ["warn", "error"]) this.#logLines.inc({ level }, 0);
    this.#proposals.inc({ result: "Success" }, 0);
    for (const store of ["chain", "state"]) this.#damaged.inc({ store }, 0);
  }

  onNetworkEvent(event: NetworkEvent, knownPeers: number): void {
    this.#knownPeers.set(knownPeers);
    if (event.type === "peersChanged") this.#peers.set(event.count);
    else if (event.type === "messageReceived" || event.type === "streamReceived") {
      this.#packets.inc();
      this.#received.inc(event.bytes);
    } else if (event.type === "messageSent" || event.type === "streamSent") {
      this.#sent.inc();
      this.#sentBytes.inc(event.bytes);
    } else if (event.type === "packetDropped") this.#dropped.inc();
    else if (event.type === "peerForgotten") this.#disconnects.inc();
  }

  onChainEvent(event: ChainEvent): void {
    if (event.type === "blockAdded") this.#valid.inc();
    else if (event.type === "blockRefused" && replayLimitText(event.block, event.status) !== undefined)
      this.#beyondLimits.inc();
    else if (event.type === "blockRefused") this.#invalid.inc();
    else if (event.type === "blockRevalidated") this.#revised.inc();
    else if (event.type === "blockFinalized") this.#finalized.inc();
  }

  onDamagedValue(store: "chain" | "state"): void {
    this.#damaged.inc({ store });
  }

  onSyncEvent(event: SyncEvent): void {
    if (event.type === "blockValidated") this.#validationSeconds.observe(event.durationMs / 1000);
    else if (event.type === "statePageImported") this.#stateItems.inc(event.nodes + event.leaves);
    else if (event.type === "blockRequestServed") this.#served.inc();
    else if (event.type === "blockRestored") this.#restored.inc();
    else if (event.type === "hashRequested") this.#requested.inc();
    else if ((event.type === "hashAccepted" || event.type === "hashIgnored") && event.kind === "broadcast")
      this.#hashes.inc();
  }

  onProposeEvent(event: ProposeEvent | NodeProposeEvent): void {
    if (event.type === "deployReceived") this.#deploys.inc();
    else if (event.type === "deployPutAside") this.#leftOut.inc();
    else if (event.type === "deploysHarmed") this.#harmedDeploys.inc(event.lost.length + event.repeated.length);
    else if (event.type === "deployGivenUp") {
      this.#leftOut.inc();
      this.#refusedDeploys.inc();
    } else if (event.type === "proposeFinished") this.#proposals.inc({ result: event.result.status });
  }

  onBlockReplayed(milliseconds: number): void {
    this.#replayed.inc();
    this.#replaySeconds.observe(milliseconds / 1000);
  }

  onLogLine(level: Level): void {
    this.#logLines.inc({ level });
  }

  onRequest({ server, route, method, status, seconds }: AnsweredRequest): void {
    const shown = knownMethods.has(method) ? method : "other";
    this.#requests.inc({ server, route, method: shown, status: String(status) });
    this.#requestSeconds.observe({ server, route }, seconds);
  }

  /** A request came with an API key that is known. */
  onKeyUsed(key: string, isServed: boolean): void {
    this.#keyRequests.inc({ key, result: isServed ? "served" : "refused" });
  }

  /** @param path of a method that there is: `/package.Service/method` */
  onGrpcCall(port: "external" | "internal", path: string, milliseconds: number): void {
    const labels = { port, method: path.slice(1) };
    this.#calls.inc(labels);
    this.#callSeconds.observe(labels, milliseconds / 1000);
  }

  /**
   * Adds a number that is read at each request for the metrics.
   *
   * @param read must be cheap and must not throw
   */
  watch(name: string, help: string, read: () => number): void {
    const gauge: Gauge = new Gauge({ name, help, registers: [this.registry], collect: () => gauge.set(read()) });
  }

  /** As {@link watch}, for several numbers with a label. */
  watchEach(name: string, help: string, label: string, read: () => Readonly<Record<string, number>>): void {
    const gauge: Gauge = new Gauge({
      name,
      help,
      labelNames: [label],
      registers: [this.registry],
      collect() {
        gauge.reset();
        for (const [value, number] of Object.entries(read())) gauge.set({ [label]: value }, number);
      },
    });
  }

  /** As {@link watchEach}, for several such sets with a second label. */
  watchTable(
    name: string,
    help: string,
    [outer, inner]: readonly [string, string],
    read: () => Readonly<Record<string, Readonly<Record<string, number>>>>,
  ): void {
    const gauge: Gauge = new Gauge({
      name,
      help,
      labelNames: [outer, inner],
      registers: [this.registry],
      collect() {
        gauge.reset();
        for (const [one, numbers] of Object.entries(read()))
          for (const [other, number] of Object.entries(numbers)) gauge.set({ [outer]: one, [inner]: other }, number);
      },
    });
  }

  async text(): Promise<string> {
    return withDecimals(await this.registry.metrics());
  }

  #gauge(name: string, help: string): Gauge {
    return new Gauge({ name, help, registers: [this.registry] });
  }

  #counter(name: string, help: string, labelNames: readonly string[] = []): Counter {
    return new Counter({ name, help, labelNames: [...labelNames], registers: [this.registry] });
  }

  #times(name: string, help: string, labelNames: readonly string[] = []): Histogram {
    return new Histogram({
      name,
      help,
      labelNames: [...labelNames],
      buckets: [...timeBuckets],
      registers: [this.registry],
    });
  }
}

/** rnode prints a decimal in every number, and scripts look for it: `3.0`. @spec 50 §6.6 */
function withDecimals(text: string): string {
  return text.replace(/^(rchain_\S* \d+)$/gm, "$1.0");
}
