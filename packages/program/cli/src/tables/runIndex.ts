import { hostname } from "node:os";
import { lineOf } from "@vedette/config/log";
import { errorText } from "@vedette/errors";
import { type IndexEvent, type IndexLocation, IndexQueries } from "@vedette/indexer";
import { IndexFollower, isDamage, openWholeDatabase, RemoteFeed, rebuildIndex, sumUp } from "@vedette/indexer/writing";
import { indexLines } from "@vedette/node";
import { createIndexServer } from "@vedette/server";
import { escapeControls, plainText } from "@vedette/terminal";
import { exitCodes } from "../exitCodes.js";

/** Options of `vedette index`. */
export interface IndexCommand {
  /** The operator's HTTP API of the node that is followed, or the public one of a node that has no other. */
  readonly node: string;
  readonly file: string;
  readonly postgres: string | undefined;
  readonly schema: string;
  readonly port: number | undefined;
  /** Host names that the port accepts, beside addresses and localhost. */
  readonly hosts: readonly string[];
  /** Web pages that may send requests, such as `https://app.example`. */
  readonly origins: readonly string[];
  readonly isRebuilt: boolean;
  /** Whether the port answers from tables that lack the beginning of the chain. */
  readonly isPartial: boolean;
  readonly json: boolean;
}

/** Keeps an index of a node in this process until the signal. @returns the exit code @spec 60 §8 */
export async function runIndex(command: IndexCommand, signal: AbortSignal): Promise<number> {
  const { node, file, postgres: url, schema, port, hosts, origins } = command;
  const place: IndexLocation =
    url === undefined
      ? { kind: "sqlite", path: file }
      : { kind: "postgres", url, schema, writer: `${hostname()} index ${process.pid}` };
  const say = (event: IndexEvent) => printEvent(command, event);
  const feed = new RemoteFeed(node, () => say({ type: "indexOfPublicApi" }));
  try {
    if (command.isRebuilt && !(await rebuildIndex({ place, feed, emit: say }, signal))) return exitCodes.success;
    const threwAway = () => say({ type: "indexAnew", reason: "its file was damaged" });
    await using database = await openWholeDatabase(place, false, threwAway);
    let opened: () => void = () => {};
    const whenOpen = new Promise<void>((resolve) => {
      opened = resolve;
    });
    await using queries = new IndexQueries(place, { whenOpen, isPartial: command.isPartial });
    const emit = (event: IndexEvent) => {
      say(event);
      if (event.type === "indexOpened") opened();
      if (event.type === "indexChanged") queries.changed();
    };
    const pages = [{ origins: new Set(origins) }];
    const server = port === undefined ? undefined : createIndexServer(queries, { hosts, pages });
    await server?.listen({ host: "127.0.0.1", port: port ?? 0 });
    const address = server?.server.address();
    if (typeof address === "object" && address !== null)
      print(command, { type: "listening", port: address.port }, `GraphQL: http://127.0.0.1:${address.port}/graphql`);
    await new IndexFollower({ database, feed, emit }).run(signal);
    await server?.close();
    await sumUp(place, database);
    return exitCodes.success;
  } catch (error) {
    const damaged = isDamage(error) ? `the index ${file} is damaged: start again, and it is made anew` : undefined;
    process.stderr.write(`${plainText(`vedette: ${damaged ?? errorText(error)}`)}\n`);
    return exitCodes.failure;
  }
}

function printEvent(command: IndexCommand, event: IndexEvent): void {
  const line = lineOf(indexLines, event);
  if (command.json) print(command, event, "");
  else if (line !== undefined) print(command, event, line.text);
}

function print({ json }: IndexCommand, event: object, text: string): void {
  process.stdout.write(`${json ? escapeControls(JSON.stringify(event)) : plainText(text)}\n`);
}
