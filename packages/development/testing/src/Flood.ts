import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { until } from "./wait/until.js";

/** Addresses of one machine that a server takes for different clients. */
export const attackers: readonly string[] = ["127.0.0.2", "127.0.0.3", "127.0.0.4", "127.0.0.5"];
/** One more, of a client that means well. */
export const bystander = "127.0.0.6";

const atOnce = 16;

/** Connections of several addresses to one port. */
export class Flood implements Disposable {
  readonly #port: number;
  readonly #sockets = new Set<Socket>();

  constructor(port: number) {
    this.#port = port;
  }

  /** Those that are open, as far as the attacker knows. */
  get open(): number {
    return this.#sockets.size;
  }

  /** Opens a connection and sends bytes on it; resolves when it is open, or refused. */
  async add(address: string, bytes: Uint8Array | string): Promise<Socket> {
    const socket = connect({ port: this.#port, host: "127.0.0.1", localAddress: address });
    this.#sockets.add(socket);
    socket.on("error", () => {});
    socket.resume();
    await new Promise<void>((resolve) => {
      socket.once("close", () => {
        this.#sockets.delete(socket);
        resolve();
      });
      socket.once("connect", () => {
        if (bytes.length > 0) socket.write(bytes);
        resolve();
      });
    });
    return socket;
  }

  /**
   * Opens `perAddress` connections from each address.
   *
   * @param between runs between groups of connections, so that the machine also does other work
   */
  async addEach(perAddress: number, bytes: Uint8Array | string, between: () => Promise<void>, from = attackers) {
    const sockets: Socket[] = [];
    const addresses = Array.from({ length: perAddress }, () => from).flat();
    for (let next = 0; next < addresses.length; next += atOnce) {
      const some = addresses.slice(next, next + atOnce);
      sockets.push(...(await Promise.all(some.map((address) => this.add(address, bytes)))));
      await between();
    }
    return sockets;
  }

  [Symbol.dispose](): void {
    for (const socket of this.#sockets) socket.destroy();
  }
}

const stateNames: Readonly<Record<string, string>> = { "01": "ESTABLISHED", "08": "CLOSE-WAIT" };

/** How many sockets of this machine have a port as their own, by their state; `undefined` elsewhere than on Linux. */
function socketStates(port: number): Readonly<Record<string, number>> | undefined {
  const counts: Record<string, number> = {};
  for (const file of ["/proc/net/tcp", "/proc/net/tcp6"]) {
    let lines: string[];
    try {
      lines = readFileSync(file, "utf8").split("\n");
    } catch {
      return undefined;
    }
    for (const line of lines.slice(1)) {
      const [, local, , state] = line.trim().split(/\s+/);
      if (local === undefined || state === undefined) continue;
      if (Number.parseInt(local.slice(local.lastIndexOf(":") + 1), 16) !== port) continue;
      const name = stateNames[state];
      if (name !== undefined) counts[name] = (counts[name] ?? 0) + 1;
    }
  }
  return counts;
}

/**
 * Waits until no client's connection to a port is left on this machine. Where it is not Linux it is not known.
 *
 * @param allowed connections that live
 * @throws Error when some stay, by their state
 */
export async function untilClosed(port: number, allowed = 0): Promise<void> {
  await until(
    `the connections to port ${port} to close`,
    () => {
      const { ESTABLISHED: alive = 0, ...others } = socketStates(port) ?? {};
      return alive <= allowed && Object.keys(others).length === 0;
    },
    { everyMs: 20, state: () => `left: ${JSON.stringify(socketStates(port))}` },
  );
}
