import { createFileRegistry, fromBinary, toBinary } from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { createClient } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport, createGrpcWebTransport } from "@connectrpc/connect-node";

const transports = {
  "connect-grpc": createGrpcTransport,
  "connect-web": createGrpcWebTransport,
  connect: createConnectTransport,
};

/** Calls by connect, with messages by protobuf-es. */
export class ConnectCaller {
  #registry;
  #speak;
  #transports = new Map();

  /** @param speaks which of its three protocols it is to speak */
  constructor(descriptors, speaks) {
    this.#registry = createFileRegistry(fromBinary(FileDescriptorSetSchema, descriptors));
    this.#speak = transports[speaks];
  }

  /** @returns the messages as they are when they are written again, and what breaks the call off */
  begin(one, request) {
    const service = this.#registry.getService(one.service);
    const method = service.methods.find(({ name }) => name === one.method);
    const client = createClient(service, this.#transport(one));
    const broken = new AbortController();
    const message = fromBinary(method.input, request);
    const options = { signal: broken.signal, ...(one.deadlineMs > 0 ? { timeoutMs: one.deadlineMs } : {}) };
    const answering = client[method.localName](one.kind === "both" ? just(message) : message, options);
    const written = (answer) => toBinary(method.output, answer);
    const answers = one.kind === "unary" ? only(answering, written) : each(answering, written);
    return { answers, cancel: () => broken.abort() };
  }

  #transport({ address, receiveLimit, keepAliveMs }) {
    const key = `${address} ${receiveLimit} ${keepAliveMs}`;
    const options = {
      baseUrl: `http://${address}`,
      httpVersion: "2",
      ...(receiveLimit > 0 ? { readMaxBytes: receiveLimit } : {}),
      ...(keepAliveMs > 0 ? { pingIntervalMs: keepAliveMs, pingIdleConnection: true } : {}),
    };
    if (!this.#transports.has(key)) this.#transports.set(key, this.#speak(options));
    return this.#transports.get(key);
  }
}

async function* just(message) {
  yield message;
}

async function* only(answer, written) {
  yield written(await answer);
}

async function* each(answers, written) {
  for await (const answer of answers) yield written(answer);
}
