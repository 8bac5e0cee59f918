import { randomInt } from "node:crypto";
import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { createServer } from "node:net";

/**
 * Range of ports below those for outgoing connections (Linux: from 32768 on): the system gives a free one to no other
 * process by chance.
 */
const [lowest, beyond] = [10_000, 30_000];
/** Claims that this process holds: referenced, so that none is collected as garbage. */
const claims: Socket[] = [];

/** Claims a port of 127.0.0.1, as {@link freePortRange} claims several. */
export function freePort(): Promise<number> {
  return freePortRange(1);
}

/**
 * Claims consecutive ports of 127.0.0.1 without a listener. No other caller of any process gets them while this process
 * lives.
 *
 * A claim is a UDP socket with the number of the TCP port: the system gives it to one process alone, and takes it back
 * when that process ends, however it ends. Programs under test use TCP only, so claims do not block them.
 *
 * @returns the first of them
 */
export async function freePortRange(count: number): Promise<number> {
  for (;;) {
    const first = randomInt(lowest, beyond - count + 1);
    const claimed = await claimRange(first, count);
    if (claimed === undefined) continue;
    claims.push(...claimed);
    return first;
  }
}

/** @returns the claims, `undefined` where another process has one of the ports: then none is held */
async function claimRange(first: number, count: number): Promise<Socket[] | undefined> {
  const claimed: Socket[] = [];
  for (let port = first; port < first + count; port += 1) {
    const socket = await claim(port);
    if (socket !== undefined) claimed.push(socket);
    if (socket !== undefined && (await hasNoListener(port))) continue;
    for (const one of claimed) one.close();
    return undefined;
  }
  return claimed;
}

async function claim(port: number): Promise<Socket | undefined> {
  const socket = createSocket("udp4");
  try {
    const bound = once(socket, "listening");
    socket.bind({ port, address: "127.0.0.1", exclusive: true });
    await bound;
    // A claim keeps no process alive.
    return socket.unref();
  } catch {
    socket.close();
    return undefined;
  }
}

async function hasNoListener(port: number): Promise<boolean> {
  const server = createServer();
  try {
    // Both addresses are tried, since a listener may use only one of them.
    for (const host of ["127.0.0.1", "0.0.0.0"]) {
      await once(server.listen(port, host), "listening");
      await new Promise((resolve) => server.close(resolve));
    }
    return true;
  } catch {
    return false;
  }
}
