import { MessageChannel, type MessagePort, receiveMessageOnPort } from "node:worker_threads";
import { errorClass, errorText } from "@vedette/errors";

/** Where the nodes and leaves of states come from that begin elsewhere. */
export interface PieceSource {
  /**
   * The directory of a store with the pieces, nodes and leaves, that are here already. It grows.
   */
  readonly keptDirectory: string;
  /** Finds a piece; `undefined` where it does not exist. Rejects with a sentence why it cannot. */
  find(hash: Uint8Array): Promise<Uint8Array | undefined>;
}

/** A thread's way to pieces that are not in its store. */
export interface OriginLink {
  readonly keptDirectory: string;
  readonly port: MessagePort;
  /** Its one number is 1 when an answer is there. */
  readonly flag: SharedArrayBuffer;
}

/** An answer; the number of its request distinguishes it from a late answer to another one. */
type Answer = { readonly id: number } & ({ readonly bytes: Uint8Array | undefined } | { readonly error: string });

interface Question {
  readonly id: number;
  readonly hash: Uint8Array;
}

/** The time that a thread waits for a piece. */
const patienceMs = 60_000;

/** A state has a piece that cannot be had from where it is from. */
export class OriginError extends errorClass("OriginError", sentence) {}

type OriginFailure = { readonly code: "failed"; readonly reason: string } | { readonly code: "tooSlow" };

function sentence(failure: OriginFailure): string {
  switch (failure.code) {
    case "failed":
      return failure.reason;
    case "tooSlow":
      return `A part of the state did not come within ${patienceMs / 1000} s.`;
  }
}

/** Returns the parts of a link that move to a thread with it. */
export function movedWith(link: OriginLink | undefined): readonly MessagePort[] {
  return link === undefined ? [] : [link.port];
}

/** Opens a way for one thread; its port is to be handed over. */
export function openOriginLink(source: PieceSource): OriginLink {
  const { port1, port2 } = new MessageChannel();
  const flag = new SharedArrayBuffer(4);
  const cell = new Int32Array(flag);
  const reply = (answer: Answer) => {
    port1.postMessage(answer);
    Atomics.store(cell, 0, 1);
    Atomics.notify(cell, 0);
  };
  port1.on("message", ({ id, hash }: Question) => {
    source.find(hash).then(
      (bytes) => reply({ id, bytes }),
      (error: unknown) => reply({ id, error: errorText(error) }),
    );
  });
  port1.unref();
  return { keptDirectory: source.keptDirectory, port: port2, flag };
}

let lastId = 0;

/**
 * Requests a piece and blocks the thread until it is there: programs cannot continue without it.
 *
 * @throws {OriginError}
 */
export function fetchFromOrigin({ port, flag }: OriginLink, hash: Uint8Array): Uint8Array | undefined {
  lastId += 1;
  const id = lastId;
  const cell = new Int32Array(flag);
  const untilMs = performance.now() + patienceMs;
  port.postMessage({ id, hash: hash.slice() } satisfies Question);
  for (;;) {
    const answer = receiveMessageOnPort(port)?.message as Answer | undefined;
    if (answer?.id === id) {
      if ("error" in answer) throw new OriginError({ code: "failed", reason: answer.error });
      return answer.bytes;
    }
    if (answer !== undefined) continue;
    const leftMs = untilMs - performance.now();
    if (leftMs <= 0) throw new OriginError({ code: "tooSlow" });
    Atomics.wait(cell, 0, 0, Math.min(leftMs, longestSleepMs));
    Atomics.store(cell, 0, 0);
  }
}

/** Bounds the sleep: a notification may come between the thread's look and its sleep. */
const longestSleepMs = 100;
