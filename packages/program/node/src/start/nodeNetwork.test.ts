import { readConfig } from "@vedette/config";
import type { Peer } from "@vedette/network";
import { expect, test } from "vitest";
import type { NodeParts } from "./NodeParts.js";
import { networkOptionsOf } from "./nodeNetwork.js";
import { movingHost } from "./ownAddress.js";

const local: Peer = { id: "ab".repeat(20), host: "localhost", protocolPort: 1, discoveryPort: 2 };
const place = { local, bootstrap: undefined, remembered: [], ownHost: undefined, emit: () => undefined };

function configOf(environment: Record<string, string>) {
  return readConfig({ home: "/", configFile: false, environment }).config;
}

function optionsOf(environment: Record<string, string>) {
  const parts = {
    config: configOf(environment),
    identity: { certificatePem: "", privateKeyPem: "" },
    dialect: { protocol: {} },
  } as unknown as NodeParts;
  return networkOptionsOf(parts, place);
}

test("what peers may send, and how it is sent to them, is configured", () => {
  const options = optionsOf({
    VEDETTE_PROTOCOL_SERVER_GRPC_MAX_RECV_MESSAGE_SIZE: "1K",
    VEDETTE_PROTOCOL_SERVER_GRPC_MAX_RECV_STREAM_MESSAGE_SIZE: "2M",
    VEDETTE_PROTOCOL_SERVER_MAX_MESSAGE_CONSUMERS: "3",
    VEDETTE_PROTOCOL_CLIENT_GRPC_MAX_RECV_MESSAGE_SIZE: "4K",
    VEDETTE_PROTOCOL_CLIENT_GRPC_STREAM_CHUNK_SIZE: "5K",
  });
  expect(options.inbound).toEqual({ maxMessageBytes: 1_024, maxStreamBytes: 2 << 20, maxMessageConsumers: 3 });
  expect(options.outbound).toEqual({ maxAnswerBytes: 4_096, streamChunkBytes: 5_120 });
});

test("by default it is as the transport has it", () => {
  const options = optionsOf({});
  expect(options.inbound).toEqual({ maxMessageBytes: 262_144, maxStreamBytes: 268_435_456, maxMessageConsumers: 400 });
  expect(options.outbound).toEqual({ maxAnswerBytes: 262_144, streamChunkBytes: 262_144 });
});

test("the own address is looked for again where it may change and none is configured", () => {
  const { signal } = new AbortController();
  const find = (environment: Record<string, string>) => movingHost({ config: configOf(environment), signal });
  const moving = { VEDETTE_PROTOCOL_SERVER_DYNAMIC_IP: "true" };
  expect(find({})).toBeUndefined();
  expect(find({ ...moving, VEDETTE_PROTOCOL_SERVER_HOST: "node.example" })).toBeUndefined();
  expect(find(moving)).toBeTypeOf("function");
});
