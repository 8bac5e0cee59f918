import type { NodeClient } from "@vedette/client/node";
import { errorText } from "@vedette/errors";
import type { Deploy } from "@vedette/protocol";
import type { NodeCommand } from "./NodeCommand.js";
import type { GrpcEndpoint } from "./options.js";

const msPerSecond = 1_000;

/**
 * Hands a deploy to the node of the command, and to those of `--additional-node`: one that takes it is enough.
 *
 * @returns its id
 * @throws {ClientError} of the first node, where none takes it
 */
export async function submitDeployToNodes(command: NodeCommand, deploy: Deploy): Promise<string> {
  const { client, options, host } = command;
  const places = (options["additionalNode"] ?? []) as readonly GrpcEndpoint[];
  if (places.length === 0) return client.deploy(deploy);
  const first = client.deploy(deploy);
  const others = places.map((place) => handInAt(command, place, deploy));
  const [own, ...outcomes] = await Promise.allSettled([first, ...others]);
  let deployId = own!.status === "fulfilled" ? own!.value : undefined;
  for (const [index, outcome] of outcomes.entries()) {
    const { host: name, port } = places[index]!;
    if (outcome.status === "fulfilled") deployId ??= outcome.value;
    else host.note(`${name}:${port} did not take the deploy: ${errorText(outcome.reason)}`);
  }
  if (own!.status === "rejected") {
    if (deployId === undefined) throw own!.reason;
    host.note(`The first node did not take the deploy: ${errorText(own!.reason)}`);
  }
  return deployId!;
}

async function handInAt(command: NodeCommand, place: GrpcEndpoint, deploy: Deploy): Promise<string> {
  return await queryAt(command, place, (client) => client.deploy(deploy));
}

/** Sends a request to another node than the command's own. */
export async function queryAt<T>(
  { options, signal }: Pick<NodeCommand, "options" | "signal">,
  place: GrpcEndpoint,
  ask: (client: NodeClient) => Promise<T>,
): Promise<T> {
  const { NodeClient: Client } = await import("@vedette/client/node");
  using client: NodeClient = new Client({
    ...place,
    timeoutMs: Number(options["timeout"]) * msPerSecond,
    maxMessageBytes: Number(options["grpcMaxRecvMessageSize"]),
    signal,
  });
  return await ask(client);
}
