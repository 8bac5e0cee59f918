import { resolve } from "node:path";
import { unmarkedDialect } from "@vedette/protocol";
import { readNetwork, readNetworkNodes, readWallets } from "../networkFiles.js";
import { Load } from "./Load.js";
import { isSound, printReport, reportJson } from "./LoadReport.js";

/** The options of `vedette load`. */
export interface LoadCommand {
  readonly directory: string;
  readonly transfersPerSecond: number;
  readonly callsPerSecond: number;
  readonly durationMs: number;
  readonly seed: number;
  readonly isJson: boolean;
}

/**
 * Puts a load on the local network that runs in a directory.
 *
 * @returns the exit code: 1 when anything went wrong
 * @throws {LocalNetworkError} when there is no network; {ClientError} when it does not run
 */
export async function runLoad({ directory, isJson, ...shape }: LoadCommand): Promise<number> {
  const path = resolve(directory);
  const nodes = readNetworkNodes(path);
  const controller = new AbortController();
  const stop = () => controller.abort();
  process.once("SIGINT", stop);
  process.once("SIGTERM", stop);
  const observer = nodes.find(({ role }) => role === "observer")!;
  using load = new Load({
    shape,
    wallets: readWallets(path),
    validatorPorts: nodes.filter(({ role }) => role === "validator").map(({ ports }) => ports.grpcExternal),
    observerPort: observer.ports.grpcExternal,
    observerHttpPort: observer.ports.http,
    nodes: nodes.map(({ name, ports }) => ({ name, httpPort: ports.http })),
    dialect: readNetwork(path)?.settings.dialect ?? unmarkedDialect,
    signal: controller.signal,
    onProgress: (text) => process.stderr.write(`${text}\n`),
  });
  const report = await load.run();
  process.stdout.write(`${isJson ? JSON.stringify(reportJson(report)) : printReport(report)}\n`);
  return isSound(report) ? 0 : 1;
}
