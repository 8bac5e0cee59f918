import { connect } from "node:net";
import { ServerSentClient, WebSocketClient } from "./EventsClient.js";

/** Sends bytes and gives back what comes until the other side ends, or until it matches. */
export async function exchange(port: number, bytes: string, end?: RegExp): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  let received = "";
  await new Promise<void>((resolve) => {
    socket.on("data", (chunk) => {
      received += chunk.toString("latin1");
      if (end?.test(received) === true) resolve();
    });
    socket.on("error", () => resolve());
    socket.on("close", () => resolve());
    socket.write(bytes, "latin1");
  });
  socket.destroy();
  return received;
}

/** The head of a request for a WebSocket. */
export const upgradeHead = (to: string, key = "dGhlIHNhbXBsZSBub25jZQ==") =>
  `GET ${to} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\n\r\n`;

/** Opens connections of all kinds at once, and leaves them in all ways. */
export async function storm(port: number, count: number): Promise<void> {
  const path = "/v2/events";
  const one = async (index: number): Promise<void> => {
    switch (index % 5) {
      case 0:
        (await WebSocketClient.connect(port, path)).socket.terminate();
        break;
      case 1:
        (await WebSocketClient.connect(port, "/ws/events")).socket.close();
        break;
      case 2:
        await (await ServerSentClient.connect(port, `${path}?after=oldest`))[Symbol.asyncDispose]();
        break;
      case 3:
        await exchange(port, upgradeHead(`${path}?kind=none`));
        break;
      default:
        connect(port, "127.0.0.1")
          .on("error", () => {})
          .end(upgradeHead(path).slice(0, 60))
          .unref();
    }
  };
  await Promise.all(Array.from({ length: count }, (_, index) => one(index)));
}
