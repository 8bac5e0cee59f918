import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

/**
 * Below what systems give to outgoing connections (Linux from 32768 on): a port that is free now stays free until it is
 * used, and nobody is given it by chance.
 */
const [lowest, beyond] = [10_000, 30_000];
const given = new Set<number>();

/** A port of 127.0.0.1 that nobody uses, and that this process was not given before. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(lowest, beyond);
    if (given.has(port) || !(await isFree(port))) continue;
    given.add(port);
    return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    // Refused too where somebody listens at one address alone.
    for (const host of ["127.0.0.1", "0.0.0.0"]) {
      await once(server.listen(port, host), "listening");
      await new Promise((resolve) => server.close(resolve));
    }
    return true;
  } catch {
    return false;
  }
}
