import { EventEmitter } from "node:events";
import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";

/**
 * Passes on WebSocket requests to these paths, and answers other requests with an upgrade header as if they had none.
 * Clients offer HTTP/2 (h2c) with any request, and Node.js does not read such a request's body while the server has a
 * listener for upgrades.
 *
 * @returns an emitter of `upgrade` for WebSockets of these paths
 */
export function webSocketUpgrades(server: Server, paths: ReadonlySet<string>): EventEmitter {
  const upgrades = new EventEmitter();
  server.on("upgrade", (request: IncomingMessage, socket: Socket, head: Buffer) => {
    const isWebSocket = request.headers.upgrade?.toLowerCase() === "websocket" && request.method === "GET";
    if (isWebSocket && paths.has(pathOf(request)) && upgrades.listenerCount("upgrade") > 0)
      upgrades.emit("upgrade", request, socket, head);
    else answerPlainly(server, request, socket, head);
  });
  return upgrades;
}

function pathOf({ url = "" }: IncomingMessage): string {
  const end = url.indexOf("?");
  return end < 0 ? url : url.slice(0, end);
}

/** Passes the request back to the server without its upgrade header. */
function answerPlainly(server: Server, request: IncomingMessage, socket: Socket, head: Buffer): void {
  const lines = [`${request.method} ${request.url} HTTP/${request.httpVersion}`];
  const { rawHeaders } = request;
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const [name, value] = [rawHeaders[i]!, rawHeaders[i + 1]!];
    switch (name.toLowerCase()) {
      case "upgrade":
      case "http2-settings":
        break;
      case "connection":
        lines.push(`${name}: ${withoutUpgrade(value)}`);
        break;
      default:
        lines.push(`${name}: ${value}`);
    }
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"), head]));
  server.emit("connection", socket);
}

function withoutUpgrade(value: string): string {
  const options = value.split(",").map((option) => option.trim());
  const kept = options.filter((option) => !/^(upgrade|http2-settings)$/i.test(option));
  return kept.length === 0 ? "keep-alive" : kept.join(", ");
}
