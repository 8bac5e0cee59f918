import { rnode } from "@vedette/protocol";
import { Network, type NetworkOptions } from "../Network.js";
import type { NetworkEvent } from "../NetworkEvent.js";
import type { Peer } from "../Peer.js";
import { type TestIdentity, testIdentity } from "./testIdentity.js";

/** A packet that a test node received. */
export interface SeenPacket {
  readonly from: string;
  readonly typeId: string;
  readonly content: Uint8Array;
}

/** On a busy machine anything may take long: no deadline of a node ends it, unless a test sets one. */
const everMs = 3_600_000;

/** A node on the loopback interface with all packets that it received and all events that it emitted. */
export class TestNode implements AsyncDisposable {
  readonly events: NetworkEvent[] = [];
  readonly packets: SeenPacket[] = [];
  readonly network: Network;
  #changed: (() => void)[] = [];

  constructor(options: Partial<NetworkOptions> = {}, identity: TestIdentity = testIdentity()) {
    this.network = new Network({
      certificate: identity.certificate,
      privateKey: identity.privateKey,
      networkId: "test",
      dialect: rnode,
      local: { id: identity.id, host: "127.0.0.1", protocolPort: 0, discoveryPort: 0 },
      bindHost: "127.0.0.1",
      allowPrivateAddresses: true,
      nowMs: () => performance.now(),
      networkTimeoutMs: everMs,
      ...options,
      outbound: { sendDeadlineMs: everMs, streamBaseMs: everMs, connectMs: everMs, ...options.outbound },
      inbound: { streamIdleMs: everMs, ...options.inbound },
      server: { handshakeMs: everMs, ...options.server },
      emit: (event) => {
        this.events.push(event);
        this.#notify();
      },
    });
  }

  /** Where others reach it. */
  get peer(): Peer {
    return this.network.local;
  }

  async start(): Promise<this> {
    await this.network.start(async (peer, typeId, content) => {
      this.packets.push({ from: peer.id, typeId, content });
      this.#notify();
    });
    return this;
  }

  /** Waits, without polling, until something holds that events and packets can change. */
  async until(holds: () => boolean): Promise<void> {
    while (!holds()) await new Promise<void>((resolve) => this.#changed.push(resolve));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.network[Symbol.asyncDispose]();
  }

  #notify(): void {
    for (const resolve of this.#changed.splice(0)) resolve();
  }
}
