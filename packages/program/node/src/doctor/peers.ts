import { connect, type TLSSocket } from "node:tls";
import type { Config } from "@vedette/config";
import { nodeIdOfCertificate, toHex } from "@vedette/crypto";
import { checkOwnHost, NetworkError, type Peer } from "@vedette/network";
import { bad, type Diagnosis, good, warningDiagnosis } from "./Diagnosis.js";

/** Milliseconds to wait for an answer. */
const answerMs = 5_000;
/** The usual place of the HTTP API beside the port for peers. */
const httpBeyondProtocol = 3;

/** Checks whether the node has an address to give to peers. No request is sent. */
export async function examineOwnAddress(config: Config): Promise<Diagnosis> {
  const about = "Own address";
  const host = config["protocol-server.host"];
  const [port, discovery] = [config["protocol-server.port"], config["peers-discovery.port"]];
  const doors = `Let TCP ports ${port} and ${discovery} in from outside; from here it cannot be seen whether they are.`;
  if (host === undefined)
    return warningDiagnosis(
      about,
      "is not configured; a start requests it from services on the web.",
      `Set protocol-server.host. ${doors}`,
    );
  try {
    await checkOwnHost(host, config["protocol-server.allow-private-addresses"]);
    return good(about, `${host}. ${doors}`);
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error;
    return bad(
      about,
      error.message,
      "Name an address that peers can reach; on a private network set allow-private-addresses.",
    );
  }
}

/** Checks that the bootstrap answers and has the configured id. */
export async function examineBootstrap(bootstrap: Peer | undefined): Promise<Diagnosis> {
  const about = "Bootstrap";
  if (bootstrap === undefined) return good(about, "none is needed, or none is configured.");
  const place = `${bootstrap.host}:${bootstrap.protocolPort}`;
  try {
    const id = await idAt(bootstrap);
    if (id === bootstrap.id) return good(about, `${place} answers and is ${id}.`);
    return bad(about, `${place} is ${id}, not ${bootstrap.id}.`, "Correct protocol-client.bootstrap.");
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const advice = "Check protocol-client.bootstrap, and whether a firewall keeps this machine from it.";
    return bad(about, `${place} does not answer: ${reason}`, advice);
  }
}

/** The id of the node that listens there: the name of its certificate's key. */
function idAt({ host, protocolPort }: Peer): Promise<string> {
  return new Promise((resolve, reject) => {
    // Any program may listen there: only its certificate is read.
    const socket: TLSSocket = connect({ host, port: protocolPort, rejectUnauthorized: false, ALPNProtocols: ["h2"] });
    socket.setTimeout(answerMs, () => socket.destroy(new Error(`no answer within ${answerMs / 1_000} s`)));
    socket.once("error", reject);
    socket.once("secureConnect", () => {
      try {
        resolve(toHex(nodeIdOfCertificate(socket.getPeerX509Certificate()?.toString() ?? "")));
      } catch (error) {
        reject(error);
      }
      socket.destroy();
    });
  });
}

/**
 * Returns how far this machine's clock is ahead of the bootstrap's, by its HTTP API. `undefined`: it did not report a
 * time.
 */
export async function clockDifferenceMs(bootstrap: Peer | undefined): Promise<number | undefined> {
  if (bootstrap === undefined) return undefined;
  const host = bootstrap.host.includes(":") ? `[${bootstrap.host}]` : bootstrap.host;
  const url = `http://${host}:${bootstrap.protocolPort + httpBeyondProtocol}/version`;
  const beganMs = Date.now();
  const response = await fetch(url, { signal: AbortSignal.timeout(answerMs), redirect: "error" }).catch(
    () => undefined,
  );
  await response?.body?.cancel();
  const theirs = Date.parse(response?.headers.get("date") ?? "");
  if (Number.isNaN(theirs)) return undefined;
  // The header has whole seconds, and was made somewhere between question and answer.
  return (beganMs + Date.now()) / 2 - (theirs + 500);
}
