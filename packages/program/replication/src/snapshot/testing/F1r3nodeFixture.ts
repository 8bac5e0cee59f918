import { F1r3nodeTestNetwork, F1r3nodeValidator, ownBeginning } from "@vedette/executor/testing";
import { type Dialect, f1r3node } from "@vedette/protocol";
import { MemoryStore, type Store, tablesOf } from "@vedette/store";
import { f1r3nodeSpace } from "@vedette/tuplespace";
import { createSnapshot } from "../createSnapshot.js";
import { findSnapshot } from "../findSnapshots.js";
import { restoreSnapshot } from "../restoreSnapshot.js";
import type { SnapshotSource } from "../SnapshotSource.js";
import { MemoryPlace } from "./MemoryPlace.js";

/** How snapshots of f1r3node networks are read. */
export const f1r3nodeSetup = { dialect: f1r3node as Dialect, form: f1r3nodeSpace };

/**
 * A network of three validators that contest a cell. A snapshot of the first one is made before the network goes on.
 */
export class F1r3nodeWorld {
  readonly network: F1r3nodeTestNetwork;
  readonly place: MemoryPlace;

  private constructor(network: F1r3nodeTestNetwork, place: MemoryPlace) {
    this.network = network;
    this.place = place;
  }

  /** @param above rounds after the snapshot */
  static async begin({ below, above }: { readonly below: number; readonly above: number }): Promise<F1r3nodeWorld> {
    const network = await F1r3nodeTestNetwork.begin(ownBeginning());
    await network.fillCell();
    const rounds = async (count: number) => {
      for (let round = 0; round < count; round += 1) {
        network.contest(network.blocks.length);
        const { refusals } = await network.round();
        if (refusals.length > 0) throw new TypeError(refusals.join());
      }
    };
    await rounds(below);
    const place = new MemoryPlace();
    const world = new F1r3nodeWorld(network, place);
    await world.create(place);
    await rounds(above);
    return world;
  }

  get source(): SnapshotSource {
    const { stateStore: state, store, chain } = this.network.validators[0]!;
    return { ...f1r3nodeSetup, state, dag: chain.dag, blocks: chain.blocks, chain: store };
  }

  create(place: MemoryPlace, source: SnapshotSource = this.source) {
    const { signal } = new AbortController();
    return createSnapshot({ source, place, nowMs: () => 0, report: () => {}, signal });
  }
}

/** A data directory in memory that is filled from a snapshot, and the node on it, which is alone. */
export class F1r3nodeNode {
  readonly state = new MemoryStore(tablesOf("state"));
  readonly chain = new MemoryStore(tablesOf("chain"));
  readonly done = new Set<string>();

  async restore(place: MemoryPlace, signal: AbortSignal = new AbortController().signal, onChunk = () => {}) {
    const manifest = await findSnapshot(place, undefined);
    const { chain, state, done } = this;
    const progress = { has: (hash: string) => done.has(hash), add: (hash: string) => void done.add(hash) };
    return restoreSnapshot({
      ...{
        place,
        manifest,
        trusted: manifest.block.hash,
        shard: "root",
        ...f1r3nodeSetup,
        chain,
        state,
        progress,
        signal,
      },
      report: onChunk,
    });
  }

  /** One as far as this one. */
  copy(): F1r3nodeNode {
    const copy = new F1r3nodeNode();
    for (const [from, to] of [
      [this.state, copy.state],
      [this.chain, copy.chain],
    ] as const)
      to.write((tables) => {
        for (const name of tablesOf(from === this.state ? "state" : "chain"))
          for (const [key, value] of from.table(name).range()) tables(name).put(key, value);
      });
    for (const hash of this.done) copy.done.add(hash);
    return copy;
  }

  start(name: string): F1r3nodeValidator {
    return F1r3nodeValidator.onStores(name, { store: this.chain as Store, stateStore: this.state });
  }
}
