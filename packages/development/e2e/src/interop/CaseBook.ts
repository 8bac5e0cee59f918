import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { create, type DescMethod, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import type { NodeProcess } from "@vedette/cli/testing";
import { answerOf, beginCall, framed, rawConnection } from "@vedette/server/testing";
import { type ClientCase, digestOf } from "./ClientRun.js";
import type { PlannedCase } from "./plannedCases.js";

/** A case with what its calls are to bring. */
export interface ReadyCase extends PlannedCase {
  readonly clientCase: ClientCase;
  /** The messages that the node serves, as they are on the wire; none where the case ends otherwise. */
  readonly served: readonly Uint8Array[];
  /** Their digests. */
  readonly elements: readonly string[];
}

const kinds = { unary: "unary", server_streaming: "stream", bidi_streaming: "both" } as const;

/** Makes planned cases ready for clients: requests become files, and the node's answers are fetched beforehand. */
export class CaseBook {
  readonly #folder: string;
  #requests = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async ready(planned: readonly PlannedCase[], node: NodeProcess): Promise<readonly ReadyCase[]> {
    const ready: ReadyCase[] = [];
    for (const one of planned) {
      const port = one.isInternal ? node.ports.grpcInternal : node.ports.grpcExternal;
      const clientCase = this.caseFor({ ...one, port });
      const served = one.expected === "asServed" ? await servedBy(port, one) : [];
      ready.push({ ...one, clientCase, served, elements: served.map(digestOf) });
    }
    return ready;
  }

  /** Makes the case that a client reads from its file. */
  caseFor<M extends DescMethod>(one: {
    readonly name: string;
    readonly method: M;
    readonly message: MessageInitShape<M["input"]>;
    readonly change: Partial<ClientCase>;
    readonly port: number;
  }): ClientCase {
    const { name, method, message, change, port } = one;
    const request = join(this.#folder, `request-${this.#requests++}.bin`);
    writeFileSync(request, toBinary(method.input, create(method.input, message)));
    return {
      ...{ name, request, address: `127.0.0.1:${port}`, service: method.parent.typeName, method: method.name },
      ...{ kind: kinds[method.methodKind as keyof typeof kinds], times: 1, atOnce: 1, restMs: 0, deadlineMs: 0 },
      ...{ cancelAfter: 0, cancelAfterMs: 0, pauseMs: 0, pauses: 0, receiveLimit: 0, keepAliveMs: 0, shows: false },
      ...change,
    };
  }
}

/** The elements of an answer as they are on the wire. @throws Error when the call does not end well */
async function servedBy(port: number, { name, method, message }: PlannedCase): Promise<readonly Uint8Array[]> {
  const session = rawConnection(port);
  try {
    const stream = beginCall(session, `/${method.parent.typeName}/${method.name}`);
    const answered = answerOf(stream);
    stream.end(framed(toBinary(method.input, create(method.input, message))));
    const { status, text, messages } = await answered;
    if (status !== 0) throw new Error(`${name} is answered with status ${status}: ${text}`);
    return messages;
  } finally {
    session.destroy();
  }
}
