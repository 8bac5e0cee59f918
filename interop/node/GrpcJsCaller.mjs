import { Client, credentials } from "@grpc/grpc-js";
import { loadFileDescriptorSetFromBuffer } from "@grpc/proto-loader";

const { makeUnaryRequest, makeServerStreamRequest, makeBidiStreamRequest } = Client.prototype;

/** Calls by grpc-js, with messages by protobuf.js. */
export class GrpcJsCaller {
  #definitions;
  #clients = new Map();

  constructor(descriptors) {
    this.#definitions = loadFileDescriptorSetFromBuffer(descriptors, { keepCase: true, longs: String });
  }

  /** @returns the messages as they are when they are written again, and what breaks the call off */
  begin(one, request) {
    const { path, requestSerialize, requestDeserialize, responseSerialize, responseDeserialize } =
      this.#definitions[one.service][one.method];
    const client = this.#client(one);
    const message = requestDeserialize(request);
    const options = one.deadlineMs > 0 ? { deadline: Date.now() + one.deadlineMs } : {};
    const make = (method, ...rest) => method.call(client, path, requestSerialize, responseDeserialize, ...rest);
    if (one.kind === "unary") {
      let cancel;
      const answered = new Promise((resolve, reject) => {
        const call = make(makeUnaryRequest, message, options, (error, answer) =>
          error ? reject(error) : resolve(answer),
        );
        cancel = () => call.cancel();
      });
      return { answers: only(answered, responseSerialize), cancel };
    }
    const both = one.kind === "both";
    const call = both ? make(makeBidiStreamRequest, options) : make(makeServerStreamRequest, message, options);
    if (both) call.end(message);
    return { answers: each(call, responseSerialize), cancel: () => call.cancel() };
  }

  #client({ address, receiveLimit, keepAliveMs }) {
    const key = `${address} ${receiveLimit} ${keepAliveMs}`;
    const options = {
      ...(receiveLimit > 0 ? { "grpc.max_receive_message_length": receiveLimit } : {}),
      ...(keepAliveMs > 0 ? { "grpc.keepalive_time_ms": keepAliveMs, "grpc.keepalive_permit_without_calls": 1 } : {}),
    };
    if (!this.#clients.has(key)) this.#clients.set(key, new Client(address, credentials.createInsecure(), options));
    return this.#clients.get(key);
  }
}

async function* only(answer, serialize) {
  yield serialize(await answer);
}

async function* each(answers, serialize) {
  for await (const answer of answers) yield serialize(answer);
}
