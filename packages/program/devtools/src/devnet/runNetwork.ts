import { contextOfNetwork } from "./contextOfNetwork.js";
import { firstLines } from "./firstLines.js";
import type { DisplayStyle } from "./NetworkDisplay.js";
import { nodeProgram } from "./NetworkRun.js";
import { type OpenNetwork, type OpenOptions, openNetwork } from "./openNetwork.js";
import { runInForeground } from "./runInForeground.js";

/** The options of `vedette network`. */
export interface NetworkCommand extends OpenOptions {
  readonly style: DisplayStyle;
  readonly isRestarted: boolean;
  readonly version: string;
  /** Path of the program that the nodes run. */
  readonly program: string;
  /** Makes the files and runs nothing. */
  readonly isOnlyPrepared: boolean;
  /** Where the network is noted while it runs, for the commands of its user. */
  readonly contextFile: string | undefined;
}

/**
 * Runs a local network in the foreground until SIGINT, SIGTERM or SIGHUP.
 *
 * @returns the exit code: 1 when a node had to be killed
 * @throws {LocalNetworkError} what keeps it from starting
 */
export async function runNetwork(command: NetworkCommand): Promise<number> {
  await using network = await openNetwork(command);
  introduceNetwork(network, command);
  if (command.isOnlyPrepared) return 0;
  const { plan } = network;
  return await runInForeground({
    directory: plan.directory,
    members: plan.nodes,
    isRestarted: command.isRestarted,
    style: command.style,
    programOf: (node) => nodeProgram(command.program, node),
    context: contextOfNetwork(plan, process.pid),
    contextFile: command.contextFile,
  });
}

/** Prints what the network is, before it starts. */
export function introduceNetwork(
  network: OpenNetwork,
  { style, isFresh, version, isOnlyPrepared }: Pick<NetworkCommand, "style" | "isFresh" | "version" | "isOnlyPrepared">,
): void {
  const { plan, identity, isNew, wallets, removed } = network;
  if (style !== "json") {
    if (isFresh && removed.length > 0)
      process.stdout.write(`Removed the network that was in ${plan.directory}: ${removed.join(", ")}\n`);
    process.stdout.write(`${firstLines(network, version, isOnlyPrepared)}\n`);
    return;
  }
  const nodes = plan.nodes.map(({ name, role, ports }) => ({ name, role, ports }));
  const facts = wallets.map(({ name, address, privateKey, balance }) => ({
    name,
    address,
    privateKey,
    balance: String(balance),
  }));
  const first = {
    type: "network",
    networkId: identity.networkId,
    directory: plan.directory,
    isNew,
    nodes,
    wallets: facts,
  };
  process.stdout.write(`${JSON.stringify(first)}\n`);
}
