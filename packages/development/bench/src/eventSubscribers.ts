import { connect, type Socket } from "node:net";

/** The calls of the benchmark's process to this one, which holds the subscribers. */
export type SubscribersCall =
  | { readonly kind: "connect"; readonly port: number; readonly count: number }
  /** Answered when every subscriber has this many further messages. */
  | { readonly kind: "expect"; readonly messages: number }
  /** Times from these moments, of messages in their order, to each arrival. */
  | { readonly kind: "latencies"; readonly sentNs: readonly string[] };

/** The answers to these calls. */
export type SubscribersAnswer =
  | { readonly kind: "connected" }
  | { readonly kind: "arrived"; readonly bytes: number }
  | { readonly kind: "latencies"; readonly medianMs: number; readonly p99Ms: number };

const upgrade =
  "GET /v2/events HTTP/1.1\r\nHost: bench\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";

/** Reads frames without looking into them, so that the subscribers take little of the machine. */
class Subscriber {
  readonly arrivedNs: bigint[] = [];
  messages = 0;
  bytes = 0;
  readonly #socket: Socket;
  #rest: Buffer = Buffer.alloc(0);
  #isUpgraded = false;

  constructor(port: number, onMessage: () => void) {
    this.#socket = connect(port, "127.0.0.1", () => this.#socket.write(upgrade));
    this.#socket.on("data", (chunk) => this.#take(chunk, onMessage));
  }

  #take(chunk: Buffer, onMessage: () => void): void {
    const nowNs = process.hrtime.bigint();
    let rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    if (!this.#isUpgraded) {
      const end = rest.indexOf("\r\n\r\n");
      this.#isUpgraded = end >= 0;
      rest = end < 0 ? rest : rest.subarray(end + 4);
    }
    for (let size = this.#isUpgraded ? frameSize(rest) : 0; size > 0 && rest.length >= size; size = frameSize(rest)) {
      // Pings have no place in the order.
      if ((rest[0]! & 0x0f) === 1) {
        this.messages += 1;
        this.arrivedNs.push(nowNs);
        onMessage();
      }
      this.bytes += size;
      rest = rest.subarray(size);
    }
    this.#rest = rest;
  }
}

/** Bytes of the frame that begins here; 0 when its head is not whole. */
function frameSize(data: Buffer): number {
  if (data.length < 2) return 0;
  const short = data[1]! & 0x7f;
  if (short < 126) return 2 + short;
  if (short === 126) return data.length < 4 ? 0 : 4 + data.readUInt16BE(2);
  return data.length < 10 ? 0 : 10 + Number(data.readBigUInt64BE(2));
}

const subscribers: Subscriber[] = [];
let expected = 0;
let waitingFor = 0;
let onArrived: () => void = () => {};
const answer = (message: SubscribersAnswer) => process.send?.(message);

function onMessage(): void {
  waitingFor -= 1;
  if (waitingFor === 0) onArrived();
}

process.on("message", (call: SubscribersCall) => {
  switch (call.kind) {
    case "connect":
      expected = 1;
      waitingFor += call.count;
      onArrived = () => answer({ kind: "connected" });
      for (let i = 0; i < call.count; i += 1) subscribers.push(new Subscriber(call.port, onMessage));
      break;
    case "expect":
      expected += call.messages;
      onArrived = () => answer({ kind: "arrived", bytes: subscribers.reduce((sum, { bytes }) => sum + bytes, 0) });
      waitingFor += call.messages * subscribers.length;
      if (waitingFor === 0) onArrived();
      break;
    case "latencies":
      answer(latencies(call.sentNs.map(BigInt)));
  }
});

function latencies(sentNs: readonly bigint[]): SubscribersAnswer {
  const times = subscribers.flatMap(({ arrivedNs }) =>
    arrivedNs.slice(expected - sentNs.length).map((arrived, index) => Number(arrived - sentNs[index]!) / 1e6),
  );
  times.sort((left, right) => left - right);
  const at = (share: number) => times[Math.ceil(share * times.length) - 1] ?? 0;
  return { kind: "latencies", medianMs: at(0.5), p99Ms: at(0.99) };
}
