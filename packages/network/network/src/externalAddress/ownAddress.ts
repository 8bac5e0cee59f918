import { isIP } from "node:net";
import { isUsableHost, type ResolveHost, resolveHost } from "../discovery/publicHost.js";
import { NetworkError } from "../NetworkError.js";
import type { EmitNetworkEvent } from "../NetworkEvent.js";

/** The parts that the search for the own address needs. @spec 10 §6 */
export interface AddressSources {
  /** Reads a short text from the web; `undefined` where that fails. */
  readonly fetchText: (url: string) => Promise<string | undefined>;
  /** The external address that the router returns, if it speaks UPnP. */
  readonly requestRouter: () => Promise<string | undefined>;
}

/**
 * Checks the host that the operator gave.
 *
 * @spec 10 §6
 * @throws {NetworkError} `invalidHost`
 */
export async function checkOwnHost(
  host: string,
  allowPrivate: boolean,
  resolve: ResolveHost = resolveHost,
): Promise<void> {
  if (!(await isUsableHost(host, allowPrivate, resolve))) throw new NetworkError({ code: "invalidHost", host });
}

/**
 * Guesses the address under which others reach this node. It is not checked for being public.
 *
 * @spec 10 §6
 */
export async function guessOwnHost(sources: AddressSources, emit: EmitNetworkEvent): Promise<string> {
  const web = (url: string) => async () => {
    const text = (await sources.fetchText(url))?.trim();
    return text !== undefined && isIP(text) !== 0 ? text : undefined;
  };
  const asked: readonly (readonly [string, () => Promise<string | undefined>])[] = [
    ["AmazonAWS service", web("http://checkip.amazonaws.com")],
    ["WhatIsMyIP service", web("http://bot.whatismyipaddress.com")],
    ["UPnP", sources.requestRouter],
  ];
  for (const [source, ask] of asked) {
    const host = await ask().catch(() => undefined);
    if (host === undefined) continue;
    emit({ type: "ownAddressGuessed", host, source });
    return host;
  }
  emit({ type: "ownAddressGuessed", host: "localhost", source: "failed to guess" });
  return "localhost";
}
