import { fromHex, toHex } from "@vedette/crypto";
import { WireError } from "../wire/WireError.js";

/** A peer: its identity and where it listens. @spec 10 §2.1 */
export interface PeerNode {
  /** Node id; 20 bytes for a real node. */
  readonly id: Uint8Array;
  readonly host: string;
  readonly protocolPort: number;
  /** Called UDP by rnode, though discovery runs over TCP. */
  readonly discoveryPort: number;
}

const maximumTextLength = 2048;

/** The one printed form of a peer's address. @spec 10 §2.1 */
export function printNodeUri(peer: PeerNode): string {
  return `rnode://${toHex(peer.id)}@${peer.host}?protocol=${peer.protocolPort}&discovery=${peer.discoveryPort}`;
}

/**
 * Reads a peer's address: any scheme, an id, a host, and the two ports in any order.
 *
 * @spec 10 §2.1
 * @throws {WireError} with the text `bad address: <text>`
 */
export function parseNodeUri(text: string): PeerNode {
  const match =
    text.length > maximumTextLength
      ? null
      : /^[a-zA-Z][a-zA-Z0-9+.-]*:\/\/([0-9a-fA-F]+)@(\[[0-9a-fA-F:.]+\]|[^@:/?#[\]\s]+)(?::\d+)?\/?\?([^#\s]*)(?:#.*)?$/.exec(
          text,
        );
  const [, id, host, query] = match ?? [];
  if (id === undefined || host === undefined || query === undefined) throw badAddress(text);
  const protocolPort = portOf(query, "protocol");
  const discoveryPort = portOf(query, "discovery");
  if (protocolPort === undefined || discoveryPort === undefined) throw badAddress(text);
  // Quirk 10 §2.1: digits are taken in pairs from the left, so that an odd last one is a byte of its own.
  const digits = id.length % 2 === 0 ? id : `${id.slice(0, -1)}0${id.slice(-1)}`;
  return { id: fromHex(digits), host, protocolPort, discoveryPort };
}

function badAddress(text: string): WireError {
  return new WireError({ code: "badAddress", text: text.slice(0, maximumTextLength) });
}

function portOf(query: string, name: string): number | undefined {
  for (const parameter of query.split("&")) {
    const [key, value, ...more] = parameter.split("=");
    if (key !== name || value === undefined || more.length > 0 || !/^\d{1,5}$/.test(value)) continue;
    const port = Number(value);
    return port <= 65535 ? port : undefined;
  }
  return undefined;
}
