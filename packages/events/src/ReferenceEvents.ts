import type { WebSocket } from "@fastify/websocket";
import { eventCloseCodes, type ReferenceEventKind, referenceEvent, referenceStarted } from "@vedette/api";
import type { ChainEvent } from "@vedette/chain";
import { toHex } from "@vedette/crypto";
import { type Block, rnodeRust } from "@vedette/protocol";
import { ReferenceReader } from "./ReferenceReader.js";
import { closeSocket } from "./WebSocketSink.js";

/** Events that wait for the first client ever. */
const waitingEvents = 100;

/** What the reference's WebSocket tells, as it tells it. @spec 50 §4 */
export class ReferenceEvents {
  readonly #nowMs: () => number;
  readonly #readers = new Map<WebSocket, ReferenceReader>();
  readonly #findBlock: (hash: Uint8Array) => Block | undefined;
  /** Names of blocks: usually nobody ever connects, and blocks may be large. `undefined` once somebody has. */
  #waiting: { readonly kind: ReferenceEventKind; readonly hash: Uint8Array }[] | undefined = [];

  /** @param nowMs monotonic */
  constructor(nowMs: () => number, findBlock: (hash: Uint8Array) => Block | undefined) {
    this.#nowMs = nowMs;
    this.#findBlock = findBlock;
  }

  onChainEvent(event: ChainEvent): void {
    if (event.type === "blockAdded") this.#tell("block-added", event.block);
    else if (event.type === "blockFinalized") this.#tell("block-finalised", event.block);
  }

  /** This node has made a block. Comes before it is told that it was added. */
  onBlockCreated(block: Block): void {
    this.#tell("block-created", block);
  }

  /** Serves a client until its connection ends. @param onEnd called once, then */
  serve(socket: WebSocket, onEnd: () => void): void {
    const reader = new ReferenceReader(socket, this.#nowMs);
    this.#readers.set(socket, reader);
    socket.once("close", () => {
      this.#readers.delete(socket);
      onEnd();
    });
    reader.send(Buffer.from(referenceStarted));
    // Quirk 50 §4: what happened before anybody listened is told to the first client, and to nobody else ever.
    for (const { kind, hash } of this.#waiting ?? []) {
      const block = this.#findBlock(hash);
      if (block !== undefined) reader.send(frameOf(kind, block));
    }
    this.#waiting = undefined;
  }

  async close(): Promise<void> {
    const sockets = [...this.#readers.keys()];
    await Promise.all(sockets.map((socket) => closeSocket(socket, eventCloseCodes.stopping, "")));
  }

  #tell(kind: ReferenceEventKind, block: Block): void {
    if (this.#waiting !== undefined) {
      // A copy: the block's own is a piece of its encoding.
      this.#waiting.push({ kind, hash: Uint8Array.from(block.hash) });
      if (this.#waiting.length > waitingEvents) this.#waiting.shift();
      return;
    }
    if (this.#readers.size === 0) return;
    const frame = frameOf(kind, block);
    for (const reader of this.#readers.values()) reader.send(frame);
  }
}

function frameOf(kind: ReferenceEventKind, block: Block): Buffer {
  const text = referenceEvent(kind, {
    hash: toHex(block.hash),
    newer: block.form === rnodeRust.blockForm ? { number: block.number, timestamp: block.header.timestamp } : undefined,
    parents: block.parents.map(toHex),
    justifications: block.justifications.map(
      ({ validator, latestBlockHash }) => [toHex(validator), toHex(latestBlockHash)] as const,
    ),
    deploys: block.body.deploys.map(({ deploy, cost, failed }) => ({
      id: toHex(deploy.signature),
      cost,
      deployer: toHex(deploy.deployer),
      errored: failed,
    })),
    creator: toHex(block.sender),
    sequenceNumber: block.sequenceNumber,
  });
  return Buffer.from(text);
}
