import type { MessagePort } from "node:worker_threads";
import { RemoteError } from "@vedette/executor/threads";

interface Reply {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: { readonly name: string; readonly message: string };
}

/** Calls what answers at the other end of a port (`answerCalls`). */
export class PortCalls {
  readonly #port: MessagePort;
  readonly #waiting = new Map<number, { resolve: (result: unknown) => void; reject: (error: Error) => void }>();
  #nextId = 0;

  constructor(port: MessagePort) {
    this.#port = port;
    port.on("message", (reply: Reply) => {
      const waiting = this.#waiting.get(reply.id);
      this.#waiting.delete(reply.id);
      if (reply.error === undefined) waiting?.resolve(reply.result);
      else waiting?.reject(new RemoteError(reply.error.name, reply.error.message));
    });
  }

  /** @throws {RemoteError} what was thrown there */
  call(method: string, argument: unknown): Promise<unknown> {
    const id = this.#nextId;
    this.#nextId += 1;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#port.postMessage({ id, method, argument });
    });
  }
}
