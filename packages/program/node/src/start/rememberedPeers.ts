import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Peer, peerOfUri, peerUri } from "@vedette/network";

const maxPeers = 64;
const maxBytes = 64_000;

/**
 * The peers that this node was connected with last, in a file of its data directory: one address a line.
 *
 * @spec 10 §4
 */
export class SavedPeers {
  readonly #path: string;

  constructor(dataDirectory: string) {
    this.#path = join(dataDirectory, "peers.txt");
  }

  /** Reads the peers that an earlier run wrote; unreadable ones are left out. */
  read(): Peer[] {
    let text: string;
    try {
      text = readFileSync(this.#path, "utf8").slice(0, maxBytes);
    } catch {
      return [];
    }
    return text
      .split("\n")
      .filter((line) => line !== "")
      .slice(0, maxPeers)
      .flatMap((line) => {
        try {
          return [peerOfUri(line)];
        } catch {
          return [];
        }
      });
  }

  /**
   * Remembers peers in place of the earlier ones. Without any nothing changes: a node that has lost its connections
   * needs the old ones most.
   *
   * The file is a convenience: a failure to write it is ignored.
   */
  write(peers: readonly Peer[]): void {
    if (peers.length === 0) return;
    const text = peers
      .slice(0, maxPeers)
      .map((peer) => `${peerUri(peer)}\n`)
      .join("");
    try {
      writeFileSync(`${this.#path}.new`, text);
      renameSync(`${this.#path}.new`, this.#path);
    } catch {
      // The stores report a full or read-only disk.
    }
  }
}
