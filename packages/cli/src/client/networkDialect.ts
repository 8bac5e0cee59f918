import { ClientError } from "@vedette/client";
import type { NodeClient } from "@vedette/client/node";
import type { DialectName } from "@vedette/config";
import { askAt } from "./handIn.js";
import { dialectOf, type NodeCommand } from "./NodeCommand.js";
import type { NodePlace } from "./options.js";

/**
 * By whose names the contracts of the network are called: as was said, else as the node that is asked tells of itself.
 *
 * @returns `undefined` where it does not tell: old nodes, which are of the first dialect
 * @spec 61 §11
 */
export async function networkDialect(command: NodeCommand): Promise<DialectName | undefined> {
  return dialectOf(command.options) ?? (await toldDialect(command));
}

async function toldDialect(command: NodeCommand): Promise<DialectName | undefined> {
  const places = (command.options["also"] ?? []) as readonly NodePlace[];
  const asking = [
    () => statusDialect(command.client),
    ...places.map((place) => () => askAt(command, place, statusDialect)),
  ];
  for (const [index, ask] of asking.entries()) {
    try {
      return await ask();
    } catch (error) {
      // A deploy is handed to several nodes so that one may be away.
      if (index === asking.length - 1 || !(error instanceof ClientError) || error.failure.code === "cancelled")
        throw error;
    }
  }
  return undefined;
}

async function statusDialect(client: NodeClient): Promise<DialectName | undefined> {
  try {
    // Nodes of networks of the newer node tell of their token and their epochs; others have neither.
    const { nativeTokenName, epochLength } = await client.status();
    return nativeTokenName !== "" || epochLength > 0 ? "rnode-rust" : "rnode-scala";
  } catch (error) {
    if (error instanceof ClientError && ["notOffered", "refused"].includes(error.failure.code)) return undefined;
    throw error;
  }
}
