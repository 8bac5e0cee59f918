import { fromHex, toHex } from "@vedette/crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { GrpcError } from "../grpc/GrpcError.js";
import type { Peer } from "../Peer.js";
import { decodeAnswer, decodeRequest, encodeAck, encodeRequest } from "./peerMessage.js";

const local: Peer = { id: "11".repeat(20), host: "localhost", protocolPort: 40400, discoveryPort: 40404 };

describe("messages of the transport", () => {
  test("a heartbeat has the bytes of the chapter's vector", () => {
    expect(toHex(encodeRequest(local, "devnet1", { type: "heartbeat" }))).toBe(
      "0a380a340a290a14111111111111111111111111111111111111111112096c6f63616c686f737418d0bb0220d4bb0212076465766e6574311200",
    );
  });

  test("a packet comes out as it went in", () => {
    const message = { type: "packet", typeId: "HasBlock", content: Uint8Array.of(1, 2, 3) } as const;
    const received = decodeRequest(encodeRequest(local, "devnet1", message));
    expect(received).toMatchObject({ networkId: "devnet1", sender: local });
    expect(received.message?.type === "packet" && [...received.message.content]).toEqual([1, 2, 3]);
  });

  test("an impossible sender is none", () => {
    const bytes = encodeRequest({ ...local, id: "1111" }, "devnet1", { type: "heartbeat" });
    expect(decodeRequest(bytes).sender).toBeUndefined();
    const spaced = encodeRequest({ ...local, host: "a b" }, "devnet1", { type: "heartbeat" });
    expect(decodeRequest(spaced).sender).toBeUndefined();
    const port = encodeRequest({ ...local, protocolPort: 70_000 }, "devnet1", { type: "heartbeat" });
    expect(decodeRequest(port).sender).toBeUndefined();
  });

  test("mutated bytes give a message or a gRPC error, never anything else", () => {
    const bytes = encodeRequest(local, "devnet1", { type: "packet", typeId: "HasBlock", content: fromHex("0a0101") });
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.nat(255)), { maxLength: 4 }),
        fc.nat(),
        (edits, cut) => {
          const mutated = bytes.slice(0, cut % (bytes.length + 1));
          for (const [index, value] of edits) if (index < mutated.length) mutated[index] = value;
          try {
            decodeRequest(mutated);
          } catch (error) {
            expect(error).toBeInstanceOf(GrpcError);
          }
          decodeAnswer(mutated);
        },
      ),
    );
  });

  test("an acknowledgement names its sender and network", () => {
    expect(decodeAnswer(encodeAck(local, "devnet1"))).toEqual({ type: "ack", networkId: "devnet1", sender: local });
    expect(decodeAnswer(new Uint8Array(0))).toEqual({ type: "malformed" });
  });
});
