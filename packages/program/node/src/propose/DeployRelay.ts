import type { Config } from "@vedette/config";
import { blake2b256 } from "@vedette/crypto";
import { dropOldest } from "@vedette/errors";
import type { Peer } from "@vedette/network";
import {
  type Deploy,
  decodeDeploy,
  decodeDeployRelayAnswer,
  decodeDeployRelayQuestion,
  deployRelay,
  encodeDeploy,
  encodeDeployRelayAnswer,
  encodeDeployRelayQuestion,
  f1r3node,
  hashKey,
  maxRelayIds,
  WireError,
} from "@vedette/protocol";
import { type PeerRequestPort, systemTimers } from "@vedette/sync";
import type { Proposing } from "./Proposing.js";

/** Has what deploys of any dialect have. */
const wholeForm = f1r3node.blockForm;

/** The parts of the network that a relay uses. */
export type RelayNetwork = PeerRequestPort & { readonly peers: readonly Peer[] };

/** The deploys that wait on this node; ids are Blake2b-256 of signatures. */
export interface WaitingDeploys {
  find(id: Uint8Array): Deploy | undefined;
  /** @returns why it is refused */
  submit(deploy: Deploy): Promise<string | undefined>;
}

/** The limits of a relay. @spec 40 §19 */
const limits = {
  /** Ids that are remembered, so that nothing is fetched twice. */
  seen: 20_000,
  /** Ids that wait to be offered, and ids that wait to be fetched. */
  waiting: 1_000,
  /** The number of these from one peer. */
  waitingOfPeer: 200,
  /** Peers that are remembered to have a deploy that is to be fetched. */
  sources: 4,
  /** Fetched with one question. */
  together: 16,
  /** The largest deploy that a pool takes, and a little more. */
  answerBytes: 4_200_000,
  deadlineMs: 10_000,
} as const;

/**
 * Carries deploys to the other validators of an own network, so that the next validator to make a block has them.
 *
 * Ids are offered; a node fetches the deploys that it does not have, and offers them in turn. Only peers that announce
 * support receive offers: nodes of rnode never see any of this.
 *
 * @spec 40 §19
 */
export class DeployRelay {
  readonly #network: RelayNetwork;
  readonly #deploys: WaitingDeploys;
  readonly #yieldNow: () => Promise<void>;
  /** Ids that are not fetched again, the oldest first. */
  readonly #seen = new Set<string>();
  /** Ids to offer, with the peer that needs no offer. */
  readonly #toReport = new Map<string, { readonly id: Uint8Array; readonly from: string | undefined }>();
  readonly #toFetch = new Map<string, { readonly id: Uint8Array; readonly sources: string[] }>();
  /** Where a deploy came from that is being handed in. */
  readonly #cameFrom = new Map<string, string>();
  #isReporting = false;
  #isFetching = false;

  /** @param yieldNow lets other work be done first, so that what comes together is offered together */
  constructor(network: RelayNetwork, deploys: WaitingDeploys, yieldNow: () => Promise<void>) {
    this.#network = network;
    this.#deploys = deploys;
    this.#yieldNow = yieldNow;
    network.answer(deployRelay, async (peerId, question) => this.#answer(peerId, question));
  }

  /** A deploy was taken: from a user, or from a peer. */
  taken({ signature }: Deploy): void {
    const id = blake2b256(signature);
    const key = hashKey(id);
    this.#remember(key);
    this.#toFetch.delete(key);
    if (this.#toReport.size >= limits.waiting) return;
    this.#toReport.set(key, { id, from: this.#cameFrom.get(key) });
    if (this.#isReporting) return;
    this.#isReporting = true;
    void this.#yieldNow().then(() => this.#offer());
  }

  #offer(): void {
    this.#isReporting = false;
    const waiting = [...this.#toReport.values()];
    this.#toReport.clear();
    for (const peer of this.#network.peers) {
      if (!this.#network.understands(peer, deployRelay)) continue;
      const offered = waiting.filter(({ from }) => from !== peer.id).map(({ id }) => id);
      for (let at = 0; at < offered.length; at += maxRelayIds)
        // A peer that cannot be reached now receives the deploy in a block.
        void this.#ask(peer, { offered: offered.slice(at, at + maxRelayIds), wanted: [] }).catch(() => undefined);
    }
  }

  #answer(peerId: string, bytes: Uint8Array): Uint8Array | undefined {
    try {
      const { offered, wanted } = decodeDeployRelayQuestion(bytes);
      this.#noteOffers(peerId, offered);
      return encodeDeployRelayAnswer(this.#encoded(wanted));
    } catch (error) {
      if (error instanceof WireError) return undefined;
      throw error;
    }
  }

  /** As many as an answer has room for. */
  #encoded(wanted: readonly Uint8Array[]): Uint8Array[] {
    const encoded: Uint8Array[] = [];
    let bytes = 0;
    for (const id of wanted.slice(0, limits.together)) {
      const deploy = this.#deploys.find(id);
      if (deploy === undefined) continue;
      const one = encodeDeploy(deploy, wholeForm);
      bytes += one.length + 8;
      if (bytes > limits.answerBytes) break;
      encoded.push(one);
    }
    return encoded;
  }

  #noteOffers(peerId: string, offered: readonly Uint8Array[]): void {
    let ofPeer = 0;
    for (const { sources } of this.#toFetch.values()) if (sources[0] === peerId) ofPeer += 1;
    for (const id of offered) {
      const key = hashKey(id);
      if (this.#seen.has(key) || this.#deploys.find(id) !== undefined) continue;
      const known = this.#toFetch.get(key);
      if (known !== undefined) {
        addSource(known.sources, peerId);
        continue;
      }
      if (ofPeer >= limits.waitingOfPeer || this.#toFetch.size >= limits.waiting) return;
      ofPeer += 1;
      this.#toFetch.set(key, { id: Uint8Array.from(id), sources: [peerId] });
    }
    if (this.#toFetch.size > 0 && !this.#isFetching) void this.#fetchAll();
  }

  async #fetchAll(): Promise<void> {
    this.#isFetching = true;
    try {
      // The offer is answered first.
      await this.#yieldNow();
      for (let [first] = this.#toFetch.values(); first !== undefined; [first] = this.#toFetch.values())
        await this.#fetchFrom(first.sources[0]!);
    } finally {
      this.#isFetching = false;
    }
  }

  /** Fetches some of a peer's deploys; a peer that does not give them is no source for them later. */
  async #fetchFrom(source: string): Promise<void> {
    const ofSource = [...this.#toFetch.values()].filter(({ sources }) => sources[0] === source);
    const wanted = ofSource.slice(0, limits.together);
    const peer = this.#network.peers.find(({ id }) => id === source);
    const answer =
      peer === undefined || !this.#network.understands(peer, deployRelay)
        ? []
        : await this.#ask(peer, { offered: [], wanted: wanted.map(({ id }) => id) })
            .then(decodeDeployRelayAnswer)
            .catch(() => []);
    const asked = new Set(wanted.map(({ id }) => hashKey(id)));
    await Promise.all(answer.slice(0, limits.together).map((bytes) => this.#take(bytes, asked, source)));
    for (const { id, sources } of wanted) {
      if (sources[0] === source) sources.shift();
      if (sources.length === 0) this.#toFetch.delete(hashKey(id));
    }
  }

  async #take(bytes: Uint8Array, asked: ReadonlySet<string>, source: string): Promise<void> {
    let deploy: Deploy;
    try {
      deploy = decodeDeploy(bytes, wholeForm);
    } catch {
      return;
    }
    const key = hashKey(blake2b256(deploy.signature));
    if (!asked.has(key) || this.#seen.has(key)) return;
    this.#cameFrom.set(key, source);
    try {
      // A deploy that is refused here is refused at every offer of it.
      await this.#deploys.submit(deploy);
      this.#remember(key);
      this.#toFetch.delete(key);
    } catch {
      // The disk, perhaps: another offer may come.
    } finally {
      this.#cameFrom.delete(key);
    }
  }

  #remember(key: string): void {
    this.#seen.delete(key);
    this.#seen.add(key);
    dropOldest(this.#seen, limits.seen);
  }

  #ask(peer: Peer, question: Parameters<typeof encodeDeployRelayQuestion>[0]): Promise<Uint8Array> {
    return this.#network.ask(peer, {
      extension: deployRelay,
      content: encodeDeployRelayQuestion(question),
      maxAnswerBytes: limits.answerBytes + 4_096,
      deadlineMs: limits.deadlineMs,
    });
  }
}

function addSource(sources: string[], peerId: string): void {
  if (sources.length < limits.sources && !sources.includes(peerId)) sources.push(peerId);
}

/** The relay of a validator that is to have one. */
export function relayOf(
  config: Config,
  network: RelayNetwork,
  proposing: Proposing | undefined,
): DeployRelay | undefined {
  if (proposing === undefined || !config["casper.relay-deploys"]) return undefined;
  const waiting = {
    find: (id: Uint8Array) => proposing.pool.find(id),
    submit: (deploy: Deploy) => proposing.submit(deploy),
  };
  return new DeployRelay(network, waiting, () => systemTimers.yieldNow());
}
