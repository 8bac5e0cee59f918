import { createSocket } from "node:dgram";
import http from "node:http";
import { isIP } from "node:net";

/** Where routers listen for searches, and how long they may take. @spec 10 §6 */
export interface RouterSearch {
  /** 239.255.255.250 on real networks. */
  readonly address: string;
  readonly port: number;
  readonly timeoutMs: number;
}

/** The multicast address of UPnP. */
export const defaultRouterSearch: RouterSearch = { address: "239.255.255.250", port: 1900, timeoutMs: 3000 };

const maxAnswerBytes = 65_536;
const serviceTypes = ["WANIPConnection:1", "WANIPConnection:2", "WANPPPConnection:1"].map(
  (name) => `urn:schemas-upnp-org:service:${name}`,
);

/**
 * A router of the local network that maps ports to the outside by UPnP. Whatever goes wrong with it is not fatal.
 *
 * @spec 10 §6
 */
export class Router {
  readonly #controlUrl: URL;
  readonly #serviceType: string;
  readonly #ownAddress: string;
  readonly #timeoutMs: number;

  private constructor(controlUrl: URL, serviceType: string, ownAddress: string, timeoutMs: number) {
    this.#controlUrl = controlUrl;
    this.#serviceType = serviceType;
    this.#ownAddress = ownAddress;
    this.#timeoutMs = timeoutMs;
  }

  /** Looks for a router. @returns `undefined` where none answers in time */
  static async find(search: RouterSearch = defaultRouterSearch): Promise<Router | undefined> {
    for (const location of await locations(search)) {
      try {
        const { text, ownAddress } = await exchange(location, { method: "GET" }, search.timeoutMs);
        const service = elements(text, "service").find((one) =>
          serviceTypes.includes(elementText(one, "serviceType") ?? ""),
        );
        const path = service === undefined ? undefined : elementText(service, "controlURL");
        if (service === undefined || path === undefined) continue;
        const controlUrl = new URL(path, location);
        // The device describes itself; it must not send us elsewhere.
        if (controlUrl.hostname !== location.hostname || controlUrl.protocol !== "http:") continue;
        return new Router(controlUrl, elementText(service, "serviceType") ?? "", ownAddress, search.timeoutMs);
      } catch {
        // Not a router that can be used: the next one.
      }
    }
    return undefined;
  }

  /** The router's address on the outside. */
  async externalAddress(): Promise<string | undefined> {
    const answer = await this.#call("GetExternalIPAddress", {}).catch(() => "");
    const address = elementText(answer, "NewExternalIPAddress") ?? "";
    return isIP(address) === 0 ? undefined : address;
  }

  /**
   * Maps a TCP port of the outside to the same port of this machine, in place of an older mapping.
   *
   * @returns whether the router did so
   */
  async mapPort(port: number, description: string): Promise<boolean> {
    const mapping = { NewRemoteHost: "", NewExternalPort: String(port), NewProtocol: "TCP" };
    await this.#call("DeletePortMapping", mapping).catch(() => {});
    return this.#call("AddPortMapping", {
      ...mapping,
      NewInternalPort: String(port),
      NewInternalClient: this.#ownAddress,
      NewEnabled: "1",
      NewPortMappingDescription: description,
      NewLeaseDuration: "0",
    }).then(
      () => true,
      () => false,
    );
  }

  async #call(action: string, fields: Readonly<Record<string, string>>): Promise<string> {
    const inner = Object.entries(fields).map(([name, value]) => `<${name}>${escapeXml(value)}</${name}>`);
    const body =
      `<?xml version="1.0"?><s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/" ` +
      `s:encodingStyle="http://schemas.xmlsoap.org/soap/encoding/"><s:Body>` +
      `<u:${action} xmlns:u="${this.#serviceType}">${inner.join("")}</u:${action}></s:Body></s:Envelope>`;
    const headers = {
      "content-type": 'text/xml; charset="utf-8"',
      "content-length": Buffer.byteLength(body),
      soapaction: `"${this.#serviceType}#${action}"`,
    };
    return (await exchange(this.#controlUrl, { method: "POST", headers }, this.#timeoutMs, body)).text;
  }
}

/** Where the descriptions of routers are; only such as lie on the machine that answered. */
function locations({ address, port, timeoutMs }: RouterSearch): Promise<URL[]> {
  return new Promise((resolve) => {
    const found = new Map<string, URL>();
    const socket = createSocket("udp4");
    let isOpen = true;
    const end = () => {
      if (!isOpen) return;
      isOpen = false;
      clearTimeout(timer);
      socket.close();
      resolve([...found.values()]);
    };
    const timer = setTimeout(end, timeoutMs);
    socket.on("error", end);
    socket.on("message", (message, sender) => {
      const text = /^location:\s*(\S+)/im.exec(message.toString("utf8"))?.[1];
      const url = text !== undefined && URL.canParse(text) ? new URL(text) : undefined;
      if (url?.protocol !== "http:" || url.hostname !== sender.address) return;
      found.set(url.href, url);
      // A home has one router. The first to answer is tried first, and a few are enough.
      if (found.size >= 4) end();
    });
    for (const target of ["urn:schemas-upnp-org:device:InternetGatewayDevice:1", ...serviceTypes]) {
      const search = `M-SEARCH * HTTP/1.1\r\nHOST: ${address}:${port}\r\nMAN: "ssdp:discover"\r\nMX: 2\r\nST: ${target}\r\n\r\n`;
      socket.send(search, port, address, (error) => {
        // A network without multicast: no router can answer.
        if (error !== null) end();
      });
    }
  });
}

function exchange(
  url: URL,
  options: http.RequestOptions,
  timeoutMs: number,
  body = "",
): Promise<{ readonly text: string; readonly ownAddress: string }> {
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(timeoutMs);
    const request = http.request(url, { ...options, agent: false, signal }, (response) => {
      const ownAddress = response.socket.localAddress ?? "";
      const pieces: Buffer[] = [];
      let length = 0;
      response.on("data", (piece: Buffer) => {
        length += piece.length;
        if (length > maxAnswerBytes) request.destroy(new RangeError("the router's answer is too long"));
        else pieces.push(piece);
      });
      response.on("error", reject);
      response.on("end", () => {
        if (response.statusCode === 200) resolve({ text: Buffer.concat(pieces).toString("utf8"), ownAddress });
        else reject(new RangeError(`the router answers ${response.statusCode}`));
      });
    });
    request.on("error", reject);
    request.end(body);
  });
}

/**
 * The text of the first element of this name, in XML so simple that routers speak it.
 *
 * @returns `undefined` where there is none; entities are decoded, inner elements are not looked at
 */
function elementText(xml: string, name: string): string | undefined {
  const match = new RegExp(`<(?:[A-Za-z0-9_-]+:)?${name}(?:\\s[^>]*)?>([^<]*)</`).exec(xml);
  return match?.[1]?.trim().replace(/&(amp|lt|gt|quot|apos);/g, (_, entity: string) => entities[entity] ?? "");
}

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** The contents of all elements of this name, inner ones included. */
function elements(xml: string, name: string): string[] {
  return [...xml.matchAll(new RegExp(`<${name}(?:\\s[^>]*)?>([\\s\\S]*?)</${name}>`, "g"))].map(
    ([, inner]) => inner ?? "",
  );
}

/** Escapes a text for an element. */
function escapeXml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
