import type { Key } from "./Key.js";

const most = 1_000_000;
const second = 1_000;
const hour = 3_600_000;

/**
 * Ours: what strangers may ask of the API servers, and whom a proxy is believed to ask for.
 *
 * @spec 50 §1.12, §3.1, §4.1, §5.3
 */
export const limitKeys = {
  "api-server.limits.own-machine": {
    type: "flag",
    default: false,
    doc: "Limit this machine's own programs by their address, as strangers are.",
  },
  "api-server.limits.requests-per-second": {
    type: "int",
    default: 200,
    ...{ min: 1, max: most },
    doc: "HTTP requests that an address may send, on average.",
  },
  "api-server.limits.requests-at-once": {
    type: "int",
    default: 2_000,
    ...{ min: 1, max: most },
    doc: "HTTP requests that an address may send at once after a silence.",
  },
  "api-server.limits.counted-by": {
    type: "text",
    form: "natsServers",
    default: "",
    doc: "NATS servers, with commas between their URLs, by which all members of a fleet count the requests of addresses and keys together; user and password come from NATS_USER and NATS_PASSWORD. While they are away each member counts for itself.",
  },
  "api-server.limits.counted-by-credentials": {
    type: "text",
    default: "",
    doc: "Credentials file of a NATS user for that.",
  },
  "api-server.limits.connections": {
    type: "int",
    default: 6_144,
    ...{ min: 8, max: most },
    doc: "Open connections of each HTTP server; beyond them the one that has been idle longest is closed.",
  },
  "api-server.limits.connections-per-address": {
    type: "int",
    default: 512,
    ...{ min: 1, max: most },
    doc: "Those of one address; trusted proxies have as many as they like.",
  },
  "api-server.limits.body-size": {
    type: "long",
    default: 16_777_216n,
    ...{ min: 1_024, max: 1_073_741_824 },
    doc: "Largest body of an HTTP request, in bytes.",
  },
  "api-server.limits.head-size": {
    type: "long",
    default: 40_960n,
    ...{ min: 4_096, max: 1_048_576 },
    doc: "Largest head of an HTTP request, in bytes.",
  },
  "api-server.limits.path-length": {
    type: "int",
    default: 4_096,
    ...{ min: 256, max: 65_536 },
    doc: "Longest path and query of an HTTP request, in characters.",
  },
  "api-server.limits.head-timeout": {
    type: "duration",
    default: "15 seconds",
    ...{ min: second, max: hour },
    doc: "How long the head of an HTTP request may take to come.",
  },
  "api-server.limits.request-timeout": {
    type: "duration",
    default: "60 seconds",
    ...{ min: second, max: hour },
    doc: "How long a whole HTTP request may take to come.",
  },
  "api-server.limits.idle-timeout": {
    type: "duration",
    default: "2 minutes",
    ...{ min: second, max: 24 * hour },
    doc: "How long nothing may move on an HTTP connection.",
  },
  "api-server.limits.event-connections": {
    type: "int",
    default: 4_096,
    ...{ min: 0, max: most },
    doc: "Connections that may follow events; fewer than all connections.",
  },
  "api-server.limits.event-connections-per-address": {
    type: "int",
    default: 128,
    ...{ min: 0, max: most },
    doc: "Those of one address.",
  },
  "api-server.limits.event-buffer-size": {
    type: "long",
    default: 131_072n,
    ...{ min: 65_536, max: 67_108_864 },
    doc: "Bytes of events that are kept for one slow reader.",
  },
  "api-server.limits.event-backlog": {
    type: "int",
    default: 1_000,
    ...{ min: 1, max: most },
    doc: "Changes of the chain that may come while a reader of events takes nothing, before it is sent away.",
  },
  "api-server.limits.event-stall-timeout": {
    type: "duration",
    default: "30 seconds",
    ...{ min: second, max: hour },
    doc: "How long a reader of events may take nothing while some wait, before it is sent away.",
  },
  "api-server.limits.min-block-wait": {
    type: "duration",
    default: "2 seconds",
    ...{ min: 0, max: 60 * second },
    doc: "How long a request waits for the block that it wants the node to have at least; then it is refused.",
  },
  "api-server.limits.grpc-connections": {
    type: "int",
    default: 512,
    ...{ min: 1, max: most },
    doc: "Open connections of each gRPC server.",
  },
  "api-server.limits.grpc-connections-per-address": {
    type: "int",
    default: 128,
    ...{ min: 1, max: most },
    doc: "Those of one address; trusted proxies have as many as they like.",
  },
  "api-server.limits.grpc-calls": {
    type: "int",
    default: 1_000,
    ...{ min: 1, max: most },
    doc: "Calls that each gRPC server works on at once.",
  },
  "api-server.keys.file": {
    type: "text",
    default: "",
    doc: 'File of API keys, as "vedette api-key" writes it; read again when it changes. Requests with a key count for the key and not for their address.',
  },
  "api-server.keys.required": {
    type: "flag",
    default: false,
    doc: "Refuse requests to the public HTTP and gRPC servers that have no key, but for questions whether the node is well.",
  },
  "api-server.proxies.trusted": {
    type: "networks",
    default: [],
    doc: "Addresses and networks of reverse proxies; the header of no one else is believed. Name proxies alone.",
  },
  "api-server.proxies.header": {
    type: "proxyHeader",
    default: "x-forwarded-for",
    doc: "The header in which these name their clients: x-forwarded-for or forwarded. They have to write it always.",
  },
} as const satisfies Record<string, Key>;
