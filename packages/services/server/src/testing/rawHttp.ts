import { Agent, request } from "node:http";
import { connect, type Socket } from "node:net";

/** Sends raw bytes, and reads until the server closes or is silent. */
export async function exchangeAt(port: number, text: string, { half = false } = {}): Promise<string> {
  const socket = await socketAt(port);
  const answer = readAll(socket);
  if (half) socket.end(text, "latin1");
  else socket.write(text, "latin1");
  return answer;
}

export async function socketAt(port: number): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  await new Promise<void>((resolve, reject) => socket.once("connect", resolve).once("error", reject));
  return socket;
}

function readAll(socket: Socket): Promise<string> {
  let text = "";
  socket.setEncoding("latin1").on("data", (part) => {
    text += part;
  });
  return new Promise((resolve) => {
    socket.on("error", () => undefined);
    socket.once("close", () => resolve(text));
  });
}

/** The end of a head after which the server closes. */
export const closing = "host: x\r\nconnection: close\r\n\r\n";

/** Connections that are used again; most requests of these tests are many small ones. */
export const agent = new Agent({ keepAlive: true });

/** A request beside its path. */
export interface Asked {
  readonly method?: string;
  readonly body?: string | Uint8Array | null;
  readonly headers?: Readonly<Record<string, string>>;
}

export function askAt(port: number, path: string, { method = "GET", body = null, headers = {} }: Asked = {}) {
  return new Promise<{ status: number; text: string; headers: Headers }>((resolve, reject) => {
    const length = body === null ? {} : { "content-length": Buffer.byteLength(body) };
    const sent = { ...length, ...headers };
    const asked = request({ port, host: "127.0.0.1", path, method, agent, headers: sent }, (answer) => {
      const pieces: Buffer[] = [];
      answer.on("data", (piece: Buffer) => pieces.push(piece));
      answer.once("error", reject);
      answer.once("end", () =>
        resolve({
          status: answer.statusCode ?? 0,
          text: Buffer.concat(pieces).toString(),
          headers: new Headers(answer.headers as Record<string, string>),
        }),
      );
    });
    asked.once("error", reject);
    asked.end(body ?? undefined);
  });
}
