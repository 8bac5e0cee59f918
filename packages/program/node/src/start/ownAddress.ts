import type { Config } from "@vedette/config";
import { info, type Log, lineOf } from "@vedette/config/log";
import { nodeIdOfCertificate, toHex } from "@vedette/crypto";
import { checkOwnHost, type EmitNetworkEvent, fetchText, guessOwnHost, type Peer, Router } from "@vedette/network";
import { networkLines } from "../observe/networkLines.js";

/** How long a service may take to return our address. */
const addressTimeoutMs = 5_000;

/** The sources of the own address. */
export interface OwnAddressSources {
  readonly config: Config;
  /** PEM; the node's id is the hash of its key. */
  readonly certificate: string;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/**
 * How peers reach this node: configured, or guessed with the help of services and the router.
 *
 * @throws {NetworkError} `invalidHost`
 * @spec 10 §6, 50 §6.1 step 2
 */
export async function ownAddress({ config, certificate, log, signal }: OwnAddressSources): Promise<Peer> {
  const emit: EmitNetworkEvent = (event) => {
    const line = lineOf(networkLines, event);
    if (line !== undefined) log(line);
  };
  let host = config["protocol-server.host"];
  if (host === undefined) {
    log(info("flag --host was not provided, guessing your external IP address"));
    const router = config["protocol-server.no-upnp"] ? undefined : await openPorts(config, log);
    host = await guessOwnHost(
      { fetchText: asking(signal), requestRouter: async () => router?.externalAddress() },
      emit,
    );
  } else await checkOwnHost(host, config["protocol-server.allow-private-addresses"]);
  return {
    id: toHex(nodeIdOfCertificate(certificate)),
    host,
    protocolPort: config["protocol-server.port"],
    discoveryPort: config["peers-discovery.port"],
  };
}

/**
 * Finds the own address again, where it is not configured and may change.
 *
 * @returns `undefined` where the address stays; the returned function rejects where no service returns the address
 * @spec 10 §6
 */
export function movingHost({ config, signal }: MovingHostSources): (() => Promise<string>) | undefined {
  if (config["protocol-server.host"] !== undefined || !config["protocol-server.dynamic-ip"]) return undefined;
  return async () => {
    let isKnown = true;
    const emit: EmitNetworkEvent = (event) => {
      if (event.type === "ownAddressGuessed") isKnown = event.host !== "localhost";
    };
    const host = await guessOwnHost({ fetchText: asking(signal), requestRouter: async () => undefined }, emit);
    if (!isKnown) throw new Error("no service returned the own address");
    return host;
  };
}

type MovingHostSources = Pick<OwnAddressSources, "config" | "signal">;

function asking(signal: AbortSignal): (url: string) => Promise<string | undefined> {
  return (url) => fetchText(url, addressTimeoutMs, signal);
}

/** Requests port mappings for peers from the router. @spec 50 §6.1 step 8 */
async function openPorts(config: Config, log: Log): Promise<Router | undefined> {
  log(info("trying to open ports using UPnP...."));
  const router = await Router.find();
  if (router === undefined) {
    log(info("INFO - No gateway devices found"));
    return undefined;
  }
  for (const port of [config["protocol-server.port"], config["peers-discovery.port"]]) {
    const isOpen = await router.mapPort(port, "Vedette");
    log(info(`Port ${port} ${isOpen ? "is open" : "could not be opened"} on the router`));
  }
  return router;
}
