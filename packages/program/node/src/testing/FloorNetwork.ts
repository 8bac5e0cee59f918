import { f1r3nodeChain } from "@vedette/chain/testing";
import type { Block } from "@vedette/protocol";
import type { SyncEvent } from "@vedette/sync";
import { FloorDisk, FloorNode, type FloorNodeOptions } from "./FloorNode.js";

/** Nodes that serve and join a chain which three f1r3node nodes made. */
export class FloorNetwork {
  readonly blocks: readonly Block[];
  readonly #disk = new FloorDisk();

  private constructor(blocks: readonly Block[]) {
    this.blocks = blocks;
  }

  /** Writes the chain, which is a recording, to the disk of the serving nodes. */
  static async load(): Promise<FloorNetwork> {
    const network = new FloorNetwork((f1r3nodeChain("trio-r") ?? []).map(({ block }) => block));
    await using node = new FloorNode({ disk: network.#disk });
    await node.load(network.blocks);
    return network;
  }

  serve(options: FloorNodeOptions = {}): Promise<FloorNode> {
    return new FloorNode({ disk: this.#disk, ...options }).start();
  }

  join(server: FloorNode, { sync, ...options }: FloorNodeOptions = {}): Promise<FloorNode> {
    return new FloorNode({ ...options, sync: { bootstrap: server.peer, ...sync } }).start();
  }
}

/** Returns a node's emitted events of one type. */
export function eventsOf<Type extends SyncEvent["type"]>(
  { events }: FloorNode,
  type: Type,
): readonly Extract<SyncEvent, { type: Type }>[] {
  return events.filter((event): event is Extract<SyncEvent, { type: Type }> => event.type === type);
}
