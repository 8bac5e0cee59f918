import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from "node:http";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { attackers } from "@vedette/testing";

/** A request of an attacker. */
export interface AttackRequest {
  readonly port: number;
  readonly path: string;
  readonly method?: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | Uint8Array;
  /** The attacker's address; this machine's own if left out. */
  readonly from?: string;
  readonly signal?: AbortSignal;
}

/** The answer to a request. */
export interface AttackAnswer {
  /** 0 where the connection was ended without an answer. */
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Its beginning. */
  readonly text: string;
}

const keptCharacters = 65_536;
/** Pause of an attacker before it connects again. */
const againMs = 50;
/** Pause between two messages of an attacker that reads nothing. */
const sayMs = 1_000;
const noAnswer: AttackAnswer = { status: 0, headers: {}, text: "" };

/** Sends a request on a new connection and reads the whole answer; never throws. */
export function ask({ port, path, method = "GET", headers = {}, body, from, signal }: AttackRequest) {
  return new Promise<AttackAnswer>((resolve) => {
    const place = { host: "127.0.0.1", port, path, method, headers, agent: false, localAddress: from, signal };
    const asked = request(place as object, (answer) => {
      let text = "";
      answer.setEncoding("utf8");
      answer.on("data", (piece: string) => {
        if (text.length < keptCharacters) text += piece;
      });
      const end = () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text });
      answer.once("error", end);
      answer.once("close", end);
    });
    asked.once("error", () => resolve(noAnswer));
    asked.end(body);
  });
}

/** Posts JSON, as {@link ask} does. */
export function post(request: Omit<AttackRequest, "body" | "method">, body: object): Promise<AttackAnswer> {
  const headers = { "content-type": "application/json", ...request.headers };
  return ask({ ...request, method: "POST", headers, body: JSON.stringify(body) });
}

/** The address of one of many attackers. */
export function attackerOf(index: number): string {
  return attackers[index % attackers.length]!;
}

/** Runs `once` for each attacker concurrently, again and again until the signal, and at least one time. */
export async function repeat(
  enough: AbortSignal,
  atOnce: number,
  once: (index: number, round: number) => Promise<unknown>,
): Promise<void> {
  const attacker = async (index: number) => {
    for (let round = 0; round === 0 || !enough.aborted; round += 1) {
      await once(index, round);
      await sleep(againMs);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, (_, index) => attacker(index)));
}

/**
 * Opens a connection and sends bytes on it again and again without reading the answers. Resolves when the connection
 * has ended, or at the signal.
 */
export async function sayAndNeverRead(
  port: number,
  { from, bytes }: { readonly from: string; readonly bytes: string },
  enough: AbortSignal,
): Promise<void> {
  const socket = connect({ port, host: "127.0.0.1", localAddress: from });
  socket.pause();
  socket.write(bytes, "latin1");
  // A socket that is not read reports its end only when it writes.
  const more = setInterval(() => socket.writable && socket.write(bytes, "latin1"), sayMs);
  await closed(socket, enough);
  clearInterval(more);
}

/** Resolves when a connection ended, and ends it when there is enough. */
export async function closed(socket: Socket, enough: AbortSignal): Promise<void> {
  socket.on("error", () => undefined);
  const end = () => socket.destroy();
  enough.addEventListener("abort", end);
  if (enough.aborted) end();
  await new Promise<void>((resolve) => socket.once("close", () => resolve()));
  enough.removeEventListener("abort", end);
}

/** The bytes of a GET request. */
export function getBytes(path: string, headers = ""): string {
  return `GET ${path} HTTP/1.1\r\nhost: localhost\r\n${headers}\r\n`;
}

/** The bytes of a POST request with JSON. */
export function postBytes(path: string, body: object): string {
  const text = JSON.stringify(body);
  const head = `POST ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json`;
  return `${head}\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
}
