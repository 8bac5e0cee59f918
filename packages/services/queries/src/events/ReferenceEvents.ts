import type { WebSocket } from "@fastify/websocket";
import {
  eventCloseCodes,
  type F1r3nodeMoment,
  f1r3nodeMoment,
  type ReferenceEventKind,
  referenceEvent,
  referenceStarted,
} from "@vedette/api";
import type { ChainEvent } from "@vedette/chain";
import { toHex } from "@vedette/crypto";
import { type Block, type Dialect, f1r3node } from "@vedette/protocol";
import type { KeptCount } from "./EventSink.js";
import { FinalTransfers } from "./FinalTransfers.js";
import { ReferenceReader } from "./ReferenceReader.js";
import type { TransferPort } from "./TransferPort.js";
import { closeSocket } from "./WebSocketSink.js";

/** Most events that wait for the first client ever, and most events of a start that every client receives. */
const waitingEvents = 100;

/** Where rnode's events come from. */
export interface ReferenceEventSources {
  /** Monotonic. */
  readonly nowMs: () => number;
  readonly findBlock: (hash: Uint8Array) => Block | undefined;
  readonly dialect: Dialect;
  /** Left out: what final blocks moved is not reported, as on a validator. */
  readonly transfers: TransferPort | undefined;
}

/** Sends the events of rnode's WebSocket, in the form of the network's dialect. @spec 50 §4, §10.6 */
export class ReferenceEvents {
  readonly #nowMs: () => number;
  readonly #readers = new Map<WebSocket, ReferenceReader>();
  readonly #findBlock: (hash: Uint8Array) => Block | undefined;
  readonly #isF1r3node: boolean;
  readonly #transfers: FinalTransfers | undefined;
  /**
   * Names of blocks: usually no client ever connects, and blocks may be large. `undefined` once one has, and where
   * later clients receive the events of the start instead.
   */
  #waiting: { readonly kind: ReferenceEventKind; readonly hash: Uint8Array }[] | undefined;
  readonly #start: Buffer[] = [];
  #isStarted = false;

  constructor({ nowMs, findBlock, dialect, transfers }: ReferenceEventSources) {
    this.#nowMs = nowMs;
    this.#findBlock = findBlock;
    this.#isF1r3node = dialect === f1r3node;
    this.#waiting = this.#isF1r3node ? undefined : [];
    if (this.#isF1r3node && transfers !== undefined)
      this.#transfers = new FinalTransfers(transfers, (moment) => this.#send(moment));
  }

  onChainEvent(event: ChainEvent): void {
    if (event.type === "blockAdded") this.#publish("block-added", event.block);
    if (event.type !== "blockFinalized") return;
    this.#publish("block-finalised", event.block);
    if (this.#readers.size > 0) this.#transfers?.onFinal(event.block);
  }

  /** Sends a moment of the node's start, which f1r3node reports and rnode does not. @spec 50 §10.6 */
  onMoment(moment: F1r3nodeMoment): void {
    if (!this.#isF1r3node) return;
    const frame = this.#send(moment);
    if (!this.#isStarted && this.#start.length < waitingEvents) this.#start.push(frame);
    if (moment.event === "entered-running-state") this.#isStarted = true;
  }

  /** Sends that this node has made a block. Comes before the event that it was added. */
  onBlockCreated(block: Block): void {
    this.#publish("block-created", block);
  }

  /** Serves a client until its connection ends. @param onEnd called once, then */
  serve(socket: WebSocket, onEnd: () => void, kept: KeptCount): void {
    const reader = new ReferenceReader(socket, this.#nowMs, kept);
    this.#readers.set(socket, reader);
    socket.once("close", () => {
      this.#readers.delete(socket);
      onEnd();
    });
    reader.send(Buffer.from(referenceStarted));
    // Quirk 50 §4: what happened before the first client ever connected is sent to that client alone.
    for (const { kind, hash } of this.#waiting ?? []) {
      const block = this.#findBlock(hash);
      if (block !== undefined) reader.send(frameOf(kind, block));
    }
    this.#waiting = undefined;
    for (const frame of this.#start) reader.send(frame);
  }

  async close(): Promise<void> {
    const sockets = [...this.#readers.keys()];
    const closed = sockets.map((socket) => closeSocket(socket, eventCloseCodes.stopping, ""));
    await Promise.all([...closed, this.#transfers?.close()]);
  }

  #send(moment: F1r3nodeMoment): Buffer {
    const frame = Buffer.from(f1r3nodeMoment(moment));
    for (const reader of this.#readers.values()) reader.send(frame);
    return frame;
  }

  #publish(kind: ReferenceEventKind, block: Block): void {
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
    f1r3node:
      block.form === f1r3node.blockForm ? { number: block.number, timestamp: block.header.timestamp } : undefined,
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
