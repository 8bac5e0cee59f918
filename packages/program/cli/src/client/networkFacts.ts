import { asiToken, ClientError, type NativeToken, nativeTokenOf } from "@vedette/client";
import type { NodeClient } from "@vedette/client/node";
import type { DialectName } from "@vedette/config";
import { unmarkedDialect } from "@vedette/protocol";
import { dialectOf, type NodeCommand } from "./NodeCommand.js";
import { networkDialects } from "./networkDialects.js";
import type { GrpcEndpoint } from "./options.js";
import { queryAt } from "./submitDeployToNodes.js";

/** Facts about the network that a command acts on. */
export interface CommandNetwork {
  /** Decides the names of contracts; old nodes do not report it, and are rnode's. */
  readonly dialect: DialectName;
  /** The token of its amounts; `undefined` if it is unknown. */
  readonly token: NativeToken | undefined;
}

/**
 * Returns dialect and token of the network: as given by the options, else as the node reports.
 *
 * @spec 61 §11
 */
export async function networkFacts(command: NodeCommand): Promise<CommandNetwork> {
  const said = dialectOf(command.options);
  const token = said && networkDialects[said].token;
  if (said !== undefined && token !== undefined) return { dialect: said, token };
  const reported = await reportedFacts(command);
  if (said === undefined) return reported ?? { dialect: unmarkedDialect, token: asiToken };
  return { dialect: said, token: reported?.dialect === said ? reported.token : undefined };
}

/** {@link CommandNetwork}, of which no more than the dialect is wanted. */
export async function networkDialect(command: NodeCommand): Promise<DialectName> {
  return dialectOf(command.options) ?? (await reportedFacts(command))?.dialect ?? unmarkedDialect;
}

/** The network's token, for amounts that are shown. */
export async function networkToken(command: NodeCommand): Promise<NativeToken | undefined> {
  return (await networkFacts(command)).token;
}

async function reportedFacts(command: NodeCommand): Promise<CommandNetwork | undefined> {
  const places = (command.options["additionalNode"] ?? []) as readonly GrpcEndpoint[];
  const asking = [
    () => statusFacts(command.client),
    ...places.map((place) => () => queryAt(command, place, statusFacts)),
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

async function statusFacts(client: NodeClient): Promise<CommandNetwork | undefined> {
  try {
    const status = await client.status();
    // Nodes of f1r3node networks report their token and their epochs; other nodes report neither.
    const isF1r3node = status.nativeTokenName !== "" || status.epochLength > 0;
    return { dialect: isF1r3node ? "f1r3node" : "rnode", token: isF1r3node ? f1r3nodeToken(status) : asiToken };
  } catch (error) {
    if (error instanceof ClientError && ["notOffered", "refused"].includes(error.failure.code)) return undefined;
    throw error;
  }
}

/** The reported token of an f1r3node network; `undefined` where the node reports none. */
function f1r3nodeToken(status: { readonly nativeTokenSymbol: string; readonly nativeTokenDecimals: number }) {
  return status.nativeTokenSymbol === "" ? undefined : nativeTokenOf(status);
}
