import { closeSync, openSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { type Block, encodeBlock } from "@vedette/protocol";

const network = {
  ...{ dialect: "rnode", shard: "root", networkId: "mixed" },
  ...{ maxNumberOfParents: 1, faultToleranceThreshold: 0 },
};

/** A mixed chain on its way into a folder that `replayChain` reads. */
export class Recording implements Disposable {
  readonly #file: number;

  /** @param folder is there, and empty */
  constructor(folder: string) {
    writeFileSync(join(folder, "network.json"), JSON.stringify(network));
    this.#file = openSync(join(folder, "blocks.bin"), "w");
  }

  add(block: Block): void {
    const bytes = encodeBlock(block);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(bytes.length);
    writeSync(this.#file, length);
    writeSync(this.#file, bytes);
  }

  [Symbol.dispose](): void {
    closeSync(this.#file);
  }
}
