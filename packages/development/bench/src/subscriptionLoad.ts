import { createConnection, type Socket } from "node:net";
import type { LoadResult, SubscriptionPlan } from "./LoadPlan.js";
import { quantile } from "./Measurements.js";

/** When an event came to its first and to its last reader. */
interface Arrivals {
  readonly firstMs: number;
  lastMs: number;
}

const idLine = /^id: (\S+)$/gm;

/** Subscribes to server-sent events, and looks at nothing but their cursors. */
export class SubscriptionLoad {
  readonly #plan: SubscriptionPlan;
  #sockets: Socket[] = [];
  readonly #arrivals = new Map<string, Arrivals>();
  #begunMs: number | undefined;
  #loadedMs = 0;
  #received = 0;
  #failed = 0;

  constructor(plan: SubscriptionPlan) {
    this.#plan = plan;
    this.goOn();
  }

  /** Its readers leave until it goes on. */
  pause(): void {
    if (this.#begunMs !== undefined) this.#loadedMs += performance.now() - this.#begunMs;
    this.#begunMs = undefined;
    for (const socket of this.#sockets) socket.destroy();
    this.#sockets = [];
  }

  goOn(): void {
    const { port, path, clients } = this.#plan;
    this.#begunMs = performance.now();
    const request = `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\naccept: text/event-stream\r\n\r\n`;
    for (let index = 0; index < clients; index += 1) {
      const socket = createConnection({ host: "127.0.0.1", port, noDelay: true });
      this.#sockets.push(socket);
      let rest = "";
      socket.once("connect", () => socket.write(request));
      socket.setEncoding("latin1");
      socket.on("data", (text: string) => {
        const lines = rest + text;
        const end = lines.lastIndexOf("\n") + 1;
        rest = lines.slice(end);
        this.#take(lines.slice(0, end));
      });
      socket.on("error", () => undefined);
      socket.on("close", () => {
        if (this.#sockets.includes(socket)) this.#failed += 1;
      });
    }
  }

  end(): LoadResult {
    this.pause();
    const seconds = this.#loadedMs / 1000;
    const spreads = [...this.#arrivals.values()].map(({ firstMs, lastMs }) => lastMs - firstMs);
    const [p50, p99] = [quantile(spreads, 0.5), quantile(spreads, 0.99)];
    return { seconds, done: this.#received, failed: this.#failed, p50, p99 };
  }

  #take(lines: string): void {
    const nowMs = performance.now();
    for (const [, id] of lines.matchAll(idLine)) {
      this.#received += 1;
      const known = this.#arrivals.get(id!);
      if (known === undefined) this.#arrivals.set(id!, { firstMs: nowMs, lastMs: nowMs });
      else known.lastMs = nowMs;
    }
  }
}
