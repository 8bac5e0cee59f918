import { f1r3nodeChain } from "@vedette/chain/testing";
import type { Block } from "@vedette/protocol";
import type { SyncEvent } from "@vedette/sync";
import { F1r3nodeTestNode, type F1r3nodeTestNodeOptions, FloorDisk } from "./F1r3nodeTestNode.js";

/** Nodes that serve and join a chain which three f1r3node nodes made. */
export class F1r3nodeTestNetwork {
  readonly blocks: readonly Block[];
  readonly #disk = new FloorDisk();

  private constructor(blocks: readonly Block[]) {
    this.blocks = blocks;
  }

  /** Writes the chain, which is a recording, to the disk of the serving nodes. */
  static async load(): Promise<F1r3nodeTestNetwork> {
    const network = new F1r3nodeTestNetwork((f1r3nodeChain("trio-r") ?? []).map(({ block }) => block));
    await using node = new F1r3nodeTestNode({ disk: network.#disk });
    await node.load(network.blocks);
    return network;
  }

  serve(options: F1r3nodeTestNodeOptions = {}): Promise<F1r3nodeTestNode> {
    return new F1r3nodeTestNode({ disk: this.#disk, ...options }).start();
  }

  join(server: F1r3nodeTestNode, { sync, ...options }: F1r3nodeTestNodeOptions = {}): Promise<F1r3nodeTestNode> {
    return new F1r3nodeTestNode({ ...options, sync: { bootstrap: server.peer, ...sync } }).start();
  }
}

/** Returns a node's emitted events of one type. */
export function eventsOf<Type extends SyncEvent["type"]>(
  { events }: F1r3nodeTestNode,
  type: Type,
): readonly Extract<SyncEvent, { type: Type }>[] {
  return events.filter((event): event is Extract<SyncEvent, { type: Type }> => event.type === type);
}
