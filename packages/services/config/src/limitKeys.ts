import type { Key } from "./Key.js";

const most = 1_000_000;
const second = 1_000;
const hour = 3_600_000;

/**
 * Limits for requests to the API servers, and the proxies that may state client addresses (Vedette extensions).
 *
 * @spec 50 §1.12, §3.1, §4.1, §5.3
 */
export const limitKeys = {
  "api-server.limits.apply-to-localhost": {
    type: "flag",
    default: false,
    doc: "apply limits per address to programs on this machine, too",
  },
  "api-server.limits.requests-per-second": {
    type: "int",
    default: 200,
    ...{ min: 1, max: most },
    doc: "average HTTP requests per second of one address",
  },
  "api-server.limits.request-burst": {
    type: "int",
    default: 2_000,
    ...{ min: 1, max: most },
    doc: "HTTP requests that one address may send in a burst",
  },
  "api-server.limits.shared-counter-urls": {
    type: "text",
    form: "natsServers",
    default: "",
    doc: "NATS URLs, separated by commas, where fleet members count requests together (NATS_USER, NATS_PASSWORD); without a connection each member counts alone",
  },
  "api-server.limits.shared-counter-credentials": {
    type: "text",
    default: "",
    doc: "NATS credentials file for shared-counter-urls",
  },
  "api-server.limits.connections": {
    type: "int",
    default: 6_144,
    ...{ min: 8, max: most },
    doc: "maximum open connections of each HTTP server; more close the longest idle one",
  },
  "api-server.limits.connections-per-address": {
    type: "int",
    default: 512,
    ...{ min: 1, max: most },
    doc: "maximum open connections of one address to each server; trusted proxies are exempt",
  },
  "api-server.limits.body-size": {
    type: "long",
    default: 16_777_216n,
    ...{ min: 1_024, max: 1_073_741_824 },
    doc: "maximum size of an HTTP request body, in bytes",
  },
  "api-server.limits.header-size": {
    type: "long",
    default: 40_960n,
    ...{ min: 4_096, max: 1_048_576 },
    doc: "maximum size of an HTTP request header, in bytes",
  },
  "api-server.limits.path-length": {
    type: "int",
    default: 4_096,
    ...{ min: 256, max: 65_536 },
    doc: "maximum length of path and query of an HTTP request, in characters",
  },
  "api-server.limits.header-timeout": {
    type: "duration",
    default: "15 seconds",
    ...{ min: second, max: hour },
    doc: "time limit to receive the header of an HTTP request",
  },
  "api-server.limits.request-timeout": {
    type: "duration",
    default: "60 seconds",
    ...{ min: second, max: hour },
    doc: "time limit to receive a complete HTTP request",
  },
  "api-server.limits.idle-timeout": {
    type: "duration",
    default: "2 minutes",
    ...{ min: second, max: 24 * hour },
    doc: "maximum idle time of an HTTP connection",
  },
  "api-server.limits.event-connections": {
    type: "int",
    default: 4_096,
    ...{ min: 0, max: most },
    doc: "maximum event connections; fewer than all connections",
  },
  "api-server.limits.event-connections-per-address": {
    type: "int",
    default: 128,
    ...{ min: 0, max: most },
    doc: "maximum event connections per client address",
  },
  "api-server.limits.event-buffer-size": {
    type: "long",
    default: 131_072n,
    ...{ min: 65_536, max: 67_108_864 },
    doc: "event buffer of one slow subscriber, in bytes",
  },
  "api-server.limits.event-backlog": {
    type: "int",
    default: 1_000,
    ...{ min: 1, max: most },
    doc: "chain changes after which a stalled event subscriber is disconnected",
  },
  "api-server.limits.event-stall-timeout": {
    type: "duration",
    default: "30 seconds",
    ...{ min: second, max: hour },
    doc: "time after which a stalled event subscriber is disconnected",
  },
  "api-server.limits.min-block-wait": {
    type: "duration",
    default: "2 seconds",
    ...{ min: 0, max: 60 * second },
    doc: "time that a request waits for its minimum block before it is refused",
  },
  "api-server.limits.grpc-connections": {
    type: "int",
    default: 512,
    ...{ min: 1, max: most },
    doc: "maximum open connections of each gRPC server",
  },
  "api-server.limits.grpc-connections-per-address": {
    type: "int",
    default: 128,
    ...{ min: 1, max: most },
    doc: "maximum open connections of one address to each server; trusted proxies are exempt",
  },
  "api-server.limits.grpc-calls": {
    type: "int",
    default: 1_000,
    ...{ min: 1, max: most },
    doc: "maximum concurrent calls of each gRPC server",
  },
  "api-server.keys.file": {
    type: "text",
    default: "",
    doc: 'API key file, written by "vedette api-key" and reloaded on change; requests with a key count for the key, not for their address',
  },
  "api-server.keys.required": {
    type: "flag",
    default: false,
    doc: "refuse requests without a key to the public HTTP and gRPC servers, except health checks",
  },
  "api-server.proxies.trusted": {
    type: "networks",
    default: [],
    doc: "addresses and networks of reverse proxies with a trusted client header; list only proxies",
  },
  "api-server.proxies.header": {
    type: "proxyHeader",
    default: "x-forwarded-for",
    doc: "header in which proxies name their clients: x-forwarded-for or forwarded; proxies must always set it",
  },
} as const satisfies Record<string, Key>;
