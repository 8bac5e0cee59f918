import { type EventKind, type JsonValue, printJson } from "@vedette/api";
import { HttpClient, type StreamEvent } from "@vedette/client";
import { plainText } from "@vedette/terminal";
import type { CommandAnswer } from "../client/CommandAnswer.js";
import type { CommandHost } from "../client/CommandHost.js";
import { apiKeyHeaders } from "../client/CommandHost.js";
import { type Options, textOption } from "../client/NodeCommand.js";
import { resolveHttpUrl } from "../context/nodePlace.js";
import { exitCodes } from "../exitCodes.js";

/** Kept events come at once: after this time without one, there are no more. */
const quietMs = 2_000;

/** `vedette events`. @spec 50 §4.1 */
export async function followEvents(
  host: CommandHost,
  options: Options,
  { signal }: { readonly signal: AbortSignal },
): Promise<CommandAnswer | undefined> {
  const isFollowing = options["follow"] === true;
  const most = (options["count"] as number | undefined) ?? Number.POSITIVE_INFINITY;
  const ended = new AbortController();
  const client = new HttpClient({ url: resolveHttpUrl(host, options), headers: apiKeyHeaders(host) });
  const stream = client.events({
    kinds: options["kind"] as readonly EventKind[] | undefined,
    after: textOption(options, "after") ?? (isFollowing ? "newest" : "oldest"),
    signal: AbortSignal.any([signal, ended.signal]),
    onDisconnect: ({ message }) => host.note(plainText(`${message}; trying again`)),
  });
  const quiet = isFollowing ? undefined : setTimeout(() => ended.abort(), quietMs);
  let printed = 0;
  try {
    for await (const event of stream) {
      quiet?.refresh();
      host.print(options["json"] === true ? printJson(event as unknown as JsonValue) : eventLine(event, host));
      printed += 1;
      if (printed >= most) break;
    }
  } finally {
    clearTimeout(quiet);
    ended.abort();
  }
  return signal.aborted ? { text: "", json: null, exitCode: exitCodes.interrupted, isPrinted: true } : undefined;
}

const shownDigits = 10;
const widestKind = 15;

/**
 * Prints one line: the kind, the height, and the other facts of the event; hashes are short on a terminal, whole in a
 * pipe.
 */
function eventLine(event: StreamEvent, { paint, isTerminal }: Pick<CommandHost, "paint" | "isTerminal">): string {
  const { kind, cursor, ...facts } = event as StreamEvent & { readonly blockNumber?: bigint };
  const { blockNumber, ...rest } = facts;
  const height = blockNumber === undefined ? "" : `#${blockNumber}`;
  const words = Object.entries(rest).flatMap(([name, value]) => {
    const text = valueText(value, isTerminal);
    return text === undefined ? [] : [`${paint("dim", `${name}=`)}${text}`];
  });
  const colour = kind === "blockInvalid" || kind === "deployFailed" || kind === "deployRejected" ? "red" : "cyan";
  return [paint(colour, kind.padEnd(widestKind)), height, ...words, paint("dim", cursor)]
    .filter((part) => part !== "")
    .join(" ");
}

function valueText(value: unknown, isTerminal: boolean): string | undefined {
  if (value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0))
    return undefined;
  const text = typeof value === "string" ? value : printJson(value as JsonValue);
  const short = isTerminal ? text.replaceAll(/[0-9a-f]{40,}/g, (digits) => `${digits.slice(0, shownDigits)}…`) : text;
  return plainText(short).replaceAll(/[\n\t]/g, " ");
}
