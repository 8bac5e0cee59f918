import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

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

  /** Opens a connection and says something on it; resolves when it is open, or refused. */
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
   * Opens so many from each address.
   *
   * @param between what happens between some and the next: the machine is not to be busy with nothing else
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

/** Does something now and then, and keeps how long it took. */
export class Timed {
  readonly #act: () => Promise<void>;
  readonly #times: number[] = [];

  constructor(act: () => Promise<void>) {
    this.#act = act;
  }

  /** In milliseconds. */
  get longest(): number {
    return Math.max(...this.#times);
  }

  /**
   * Whether it was done within a second. On a machine with much else to do one time in ten may take longer: who is
   * locked out waits for many seconds, or fails.
   */
  get isAtOnce(): boolean {
    const slow = this.#times.filter((time) => time > 1_000).length;
    return slow <= this.#times.length / 10 && this.longest < 10_000;
  }

  readonly once = async (): Promise<void> => {
    const beganMs = performance.now();
    await this.#act();
    this.#times.push(performance.now() - beganMs);
  };

  /** Does it again and again for so long. */
  async during(ms: number): Promise<void> {
    const untilMs = performance.now() + ms;
    while (performance.now() < untilMs) {
      await this.once();
      await sleep(20);
    }
  }

  get text(): string {
    const sorted = this.#times.toSorted((one, other) => one - other);
    const median = sorted[sorted.length >> 1] ?? Number.NaN;
    return `${sorted.length} times, within ${median.toFixed(0)} ms (median), ${this.longest.toFixed(0)} ms (longest)`;
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
  for (let tries = 0; ; tries += 1) {
    const states = socketStates(port) ?? {};
    const { ESTABLISHED: alive = 0, ...others } = states;
    if (alive <= allowed && Object.keys(others).length === 0) return;
    if (tries === 100) throw new Error(`connections are left: ${JSON.stringify(states)}`);
    await sleep(20);
  }
}
