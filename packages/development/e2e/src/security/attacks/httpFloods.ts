import { connect } from "node:net";
import type { Attack, AttackedProgram } from "../Attack.js";
import { attackerOf, closed, getBytes, repeat, sayAndNeverRead } from "./requests.js";

/** An HTTP server of a program. */
export interface FloodedServer {
  readonly port: number;
  /** Bytes of a request with a short answer. */
  readonly short: string;
  /** Bytes of a request with an answer of the maximum size. */
  readonly large: string;
  /** A route that takes a body of JSON. */
  readonly bodyPath: string;
}

const flooders = 64;
/** Sent on one connection, one behind the other. */
const requestsAtOnce = 20;
const readers = 100;
const senders = 64;
const connections = 800;
const bodyBytes = 16 << 20;
const piece = Buffer.alloc(1 << 20, "x");
const dribbleMs = 500;

/**
 * Floods a program's HTTP servers with requests, unread answers, large bodies, slow heads and connections.
 *
 * @param program as the table names it
 */
export function httpFloods<Target extends AttackedProgram>(
  program: string,
  serversOf: (target: Target) => readonly FloodedServer[],
): readonly Attack<Target>[] {
  const attack = (
    name: string,
    atOnce: number,
    once: (server: FloodedServer, place: FloodPlace) => Promise<unknown>,
  ): Attack<Target> => ({
    name: `${program}: ${name}`,
    async run(target, enough) {
      const servers = serversOf(target);
      const gains = new Set<string>();
      await repeat(enough, atOnce, (index) =>
        once(servers[index % servers.length]!, { index, from: attackerOf(index), enough, gains }),
      );
      return [...gains];
    },
  });
  return [
    attack("floods of requests", flooders, sendMany),
    attack("unread answers", readers, ({ port, large }, { from, enough }) =>
      sayAndNeverRead(port, { from, bytes: large }, enough),
    ),
    attack("large bodies", senders, sendBody),
    attack("slow heads, and connections", connections, holdConnection),
  ];
}

/** One attacker of a flood: its address, and the signal that ends it. */
interface FloodPlace {
  readonly index: number;
  readonly from: string;
  readonly enough: AbortSignal;
  readonly gains: Set<string>;
}

/** Sends many requests at once, and reads their answers. */
async function sendMany({ port, short }: FloodedServer, { from, enough, gains }: FloodPlace): Promise<void> {
  const socket = connect({ port, host: "127.0.0.1", localAddress: from });
  let count = 0;
  socket.setEncoding("latin1").on("data", (text: string) => {
    count += text.split("HTTP/1.1 ").length - 1;
    if (text.includes("HTTP/1.1 500")) gains.add("500 for a request that is right");
    if (count >= requestsAtOnce) socket.destroy();
  });
  socket.write(short.repeat(requestsAtOnce), "latin1");
  await closed(socket, enough);
}

/** Sends a body as long as one may be, but for its end. */
async function sendBody({ port, bodyPath }: FloodedServer, { index, from, enough }: FloodPlace): Promise<void> {
  const socket = connect({ port, host: "127.0.0.1", localAddress: from });
  socket.resume();
  const length = index % 2 === 0 ? `content-length: ${bodyBytes}` : "transfer-encoding: chunked";
  socket.write(`POST ${bodyPath} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n${length}\r\n\r\n`);
  for (let sent = 1; sent < bodyBytes / piece.length; sent += 1) {
    if (index % 2 === 1) socket.write(`${piece.length.toString(16)}\r\n`);
    socket.write(piece);
    if (index % 2 === 1) socket.write("\r\n");
  }
  await closed(socket, enough);
}

/** Sends nothing, the beginning of a head, or a head that never ends. */
async function holdConnection({ port }: FloodedServer, { index, from, enough }: FloodPlace): Promise<void> {
  const socket = connect({ port, host: "127.0.0.1", localAddress: from });
  socket.resume();
  const kind = Math.floor(index / 2) % 3;
  if (kind > 0) socket.write(getBytes("/status", "x: ").slice(0, -2), "latin1");
  const dribble = setInterval(() => kind === 2 && socket.writable && socket.write("x"), dribbleMs);
  await closed(socket, enough);
  clearInterval(dribble);
}
