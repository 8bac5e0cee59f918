import type { ChainEvent } from "@vedette/chain";
import type { NetworkEvent } from "@vedette/network";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

/** The numbers of a running node, under the reference's names where it has them. @spec 50 §6.6 */
export class Meters {
  readonly registry = new Registry();
  readonly #peers = this.#gauge("rchain_comm_rp_connect_peers", "Connected peers.");
  readonly #knownPeers = this.#gauge("rchain_comm_discovery_kademlia_peers", "Peers in the discovery table.");
  readonly #packets = this.#counter("rchain_comm_rp_transport_packets_received_total", "Messages received.");
  readonly #sent = this.#counter("rchain_comm_rp_transport_send_total", "Messages sent.");
  readonly #dropped = this.#counter("rchain_comm_rp_transport_packets_dropped_total", "Packets dropped.");
  readonly #valid = this.#counter(
    "rchain_casper_block_processor_block_validation_success_total",
    "Blocks found valid.",
  );
  readonly #invalid = this.#counter(
    "rchain_casper_block_processor_block_validation_failed_total",
    "Blocks found invalid.",
  );
  readonly #validationSeconds = new Histogram({
    name: "rchain_casper_block_processor_block_validation_time_seconds",
    help: "Time to judge a block.",
    buckets: [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10],
    registers: [this.registry],
  });
  readonly #height = this.#gauge("vedette_block_number", "Greatest height of a valid block.");
  readonly #finalizedHeight = this.#gauge("vedette_finalized_block_number", "Height of the last finalized block.");

  constructor() {
    collectDefaultMetrics({ register: this.registry });
  }

  onNetworkEvent(event: NetworkEvent, knownPeers: number): void {
    this.#knownPeers.set(knownPeers);
    if (event.type === "peersChanged") this.#peers.set(event.count);
    else if (event.type === "messageReceived" || event.type === "streamReceived") this.#packets.inc();
    else if (event.type === "messageSent" || event.type === "streamSent") this.#sent.inc();
    else if (event.type === "packetDropped") this.#dropped.inc();
  }

  onChainEvent(event: ChainEvent): void {
    if (event.type === "blockAdded") {
      this.#valid.inc();
      this.#height.set(Number(event.block.number));
    } else if (event.type === "blockRefused") this.#invalid.inc();
    else if (event.type === "lastFinalizedChanged") this.#finalizedHeight.set(Number(event.number));
  }

  onBlockValidated(milliseconds: number): void {
    this.#validationSeconds.observe(milliseconds / 1000);
  }

  text(): Promise<string> {
    return this.registry.metrics();
  }

  #gauge(name: string, help: string): Gauge {
    return new Gauge({ name, help, registers: [this.registry] });
  }

  #counter(name: string, help: string): Counter {
    return new Counter({ name, help, registers: [this.registry] });
  }
}
