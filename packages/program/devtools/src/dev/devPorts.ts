import { createServer, type Server } from "node:net";
import { errorText } from "@vedette/errors";
import { DevError } from "./DevError.js";

/** The ports of a chain for development, all of the loopback interface. */
export interface DevPorts {
  readonly grpcExternal: number;
  readonly grpcInternal: number;
  readonly http: number;
  readonly adminHttp: number;
}

/** Nothing listens anywhere else. */
export const devHost = "127.0.0.1";

/** Returns the ports of a node with this first port, or free ones. @throws {DevError} `noFreePorts` @spec 50 §5.5 */
export async function devPorts(first: number): Promise<DevPorts> {
  if (first !== 0) return { grpcExternal: first + 1, grpcInternal: first + 2, http: first + 3, adminHttp: first + 5 };
  const held: Server[] = [];
  try {
    for (let count = 0; count < 4; count += 1) held.push(await holdPort());
    const [grpcExternal, grpcInternal, http, adminHttp] = held.map(portOf) as [number, number, number, number];
    return { grpcExternal, grpcInternal, http, adminHttp };
  } catch (error) {
    throw new DevError({ code: "noFreePorts", reason: errorText(error) }, { cause: error });
  } finally {
    await Promise.all(held.map((server) => new Promise((resolve) => server.close(resolve))));
  }
}

function holdPort(): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen({ port: 0, host: devHost }, () => resolve(server));
  });
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}
