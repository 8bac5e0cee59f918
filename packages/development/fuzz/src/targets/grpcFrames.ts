import { equalBytes, toHex } from "@vedette/crypto";
import {
  decodeAnswer,
  decodeLookup,
  decodeLookupResponse,
  decodePing,
  decodePong,
  decodeRequest,
  encodeLookup,
  encodeRequest,
  frameMessage,
  GrpcError,
  MessageReader,
} from "@vedette/network/testing";
import { must, refusedAs, type Target } from "../driver/Target.js";

const maxMessageBytes = 300;
const local = { id: "11".repeat(20), host: "localhost", protocolPort: 40400, discoveryPort: 40404 };

/** Four bytes define how the rest is cut; it is read as frames, and as each message that peers exchange. */
export const grpcFrames: Target = {
  name: "grpc-frames",
  about:
    "frames are the same however they are cut; messages of transport and discovery are read or refused with a GrpcError",
  cost: "cheap",
  files: ["network/grpc/MessageReader.js", "network/transport/peerMessage.js", "network/discovery/kademliaMessage.js"],
  maxBytes: 700,
  *seeds() {
    const cuts = Uint8Array.of(1, 7, 100, 3);
    for (const type of ["heartbeat", "handshake", "handshakeResponse", "disconnect"] as const) {
      const message = encodeRequest(local, "test", { type });
      yield Uint8Array.from([...cuts, ...message]);
      yield Uint8Array.from([...cuts, ...frameMessage(message), ...frameMessage(new Uint8Array(0))]);
    }
    const content = new Uint8Array(200);
    yield Uint8Array.from([...cuts, ...encodeRequest(local, "test", { type: "packet", typeId: "HasBlock", content })]);
    yield Uint8Array.from([...cuts, ...encodeLookup(new Uint8Array(20), local, "test")]);
  },
  run(input) {
    checkFrames(input.subarray(4), input.subarray(0, 4));
    checkMessages(input.subarray(4));
  },
  show: toHex,
};

function checkFrames(bytes: Uint8Array, cuts: Uint8Array): void {
  const whole = framesOf(bytes, [bytes.length]);
  const cut = framesOf(bytes, [...cuts]);
  must(whole.text === cut.text, () => `cut, the frames are ${cut.text}, whole they are ${whole.text}`);
  const expected = plainFrames(bytes);
  must(whole.text === expected, () => `the frames are ${whole.text}, not ${expected}`);
}

function framesOf(bytes: Uint8Array, sizes: readonly number[]): { readonly text: string } {
  const reader = new MessageReader(maxMessageBytes);
  const messages: string[] = [];
  let at = 0;
  try {
    for (let turn = 0; at < bytes.length; turn += 1) {
      const size = 1 + (sizes[turn % sizes.length] ?? 0);
      messages.push(...reader.push(bytes.subarray(at, at + size)).map(toHex));
      at += size;
    }
  } catch (error) {
    refusedAs(error, GrpcError);
    // Cut otherwise, messages before the refused one were handed out already.
    return { text: "refused" };
  }
  return { text: `${messages.join()}${reader.unfinished ? "…" : ""}` };
}

function plainFrames(bytes: Uint8Array): string {
  const messages: string[] = [];
  let at = 0;
  while (at + 5 <= bytes.length) {
    const length = new DataView(bytes.buffer, bytes.byteOffset + at).getUint32(1);
    if (bytes[at] !== 0 || length > maxMessageBytes) return "refused";
    if (at + 5 + length > bytes.length) break;
    messages.push(toHex(bytes.subarray(at + 5, at + 5 + length)));
    at += 5 + length;
  }
  return `${messages.join()}${at < bytes.length ? "…" : ""}`;
}

function checkMessages(bytes: Uint8Array): void {
  const request = refusable(() => decodeRequest(bytes));
  if (request?.sender !== undefined && request.message !== undefined) {
    const written = encodeRequest(request.sender, request.networkId, request.message);
    const again = decodeRequest(written);
    must(again.networkId === request.networkId, "the network is written and read again");
    must(JSON.stringify(again.sender) === JSON.stringify(request.sender), "the sender is written and read again");
    must(again.message?.type === request.message.type, "the message is written and read again");
    if (again.tagged !== undefined && request.tagged !== undefined)
      must(equalBytes(decodeRequest(written).tagged!, again.tagged), "a packet has one mark for the filter of repeats");
  }
  must(decodeAnswer(bytes).type !== undefined, "an answer is one of three");
  refusable(() => decodePing(bytes));
  refusable(() => decodePong(bytes));
  refusable(() => decodeLookup(bytes));
  const found = refusable(() => decodeLookupResponse(bytes));
  must(found === undefined || found.peers.length <= 100, "an answer names a bounded number of peers");
}

function refusable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    refusedAs(error, GrpcError);
    return undefined;
  }
}
