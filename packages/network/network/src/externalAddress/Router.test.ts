import { createSocket } from "node:dgram";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { setImmediate } from "node:timers/promises";
import { until } from "@vedette/testing";
import { afterEach, expect, test, vi } from "vitest";
import { Router } from "./Router.js";

afterEach(() => void vi.useRealTimers());

/** A router on the loopback interface; records its requests. */
class FakeRouter implements AsyncDisposable {
  /** To searches. */
  answers = 0;
  readonly calls: string[] = [];
  readonly #udp = createSocket("udp4");
  readonly #http: http.Server;

  constructor(description: (location: string) => string) {
    this.#http = http.createServer((request, response) => {
      const pieces: Buffer[] = [];
      request.on("data", (piece: Buffer) => pieces.push(piece));
      request.on("end", () => {
        if (request.method === "GET") return void response.end(description(`127.0.0.1:${this.port}`));
        const body = Buffer.concat(pieces).toString("utf8");
        const action = /<u:([A-Za-z]+)/.exec(body)?.[1] ?? "";
        const field = (name: string) => new RegExp(`<${name}>([^<]*)<`).exec(body)?.[1];
        this.calls.push(`${action} ${field("NewExternalPort") ?? ""} ${field("NewInternalClient") ?? ""}`.trim());
        if (action === "DeletePortMapping") response.statusCode = 500;
        response.end("<s:Body><x><NewExternalIPAddress>203.0.113.7</NewExternalIPAddress></x></s:Body>");
      });
    });
  }

  get port(): number {
    return (this.#http.address() as AddressInfo).port;
  }

  /** @param location where the answer to a search points */
  async start(location = () => `http://127.0.0.1:${this.port}/description.xml`, timeoutMs = 300) {
    await new Promise<void>((resolve) => this.#http.listen(0, "127.0.0.1", resolve));
    await new Promise<void>((resolve) => this.#udp.bind(0, "127.0.0.1", resolve));
    this.#udp.on("message", (_, { port, address }) => {
      const answer = `HTTP/1.1 200 OK\r\nLOCATION: ${location()}\r\n\r\n`;
      this.#udp.send(answer, port, address, () => (this.answers += 1));
    });
    return { address: "127.0.0.1", port: this.#udp.address().port, timeoutMs };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#udp.close();
    this.#http.closeAllConnections();
    await new Promise((resolve) => this.#http.close(resolve));
  }
}

const describing = (controlUrl: string) =>
  `<root><device><serviceList><service><serviceType>urn:x</serviceType><controlURL>/no</controlURL></service><service>` +
  `<serviceType>urn:schemas-upnp-org:service:WANIPConnection:1</serviceType><controlURL>${controlUrl}</controlURL>` +
  `</service></serviceList></device></root>`;

test("a router returns its address and maps ports, in place of older mappings", async () => {
  await using fake = new FakeRouter(() => describing("/control"));
  const search = await fake.start(undefined, 3_600_000);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const finding = Router.find(search);
  // One for each kind of router that is searched for.
  await until("all answers to be on their way", () => fake.answers === 4);
  for (let turns = 0; turns < 10; turns += 1) await setImmediate();
  vi.advanceTimersByTime(search.timeoutMs);
  const router = await finding;
  expect(await router?.externalAddress()).toBe("203.0.113.7");
  expect(await router?.mapPort(40400, "RChain")).toBe(true);
  expect(fake.calls).toEqual(["GetExternalIPAddress", "DeletePortMapping 40400", "AddPortMapping 40400 127.0.0.1"]);
});

test.for([
  ["answers from elsewhere", () => "http://192.0.2.1/description.xml", "/control"],
  ["sends us elsewhere", undefined, "http://192.0.2.1/control"],
  ["describes nothing", undefined, ""],
] as const)("a device that %s is not used", async ([, location, controlUrl]) => {
  await using fake = new FakeRouter(() => (controlUrl === "" ? "<root>" : describing(controlUrl)));
  expect(await Router.find(await fake.start(location))).toBeUndefined();
});

test("where no router answers there is none", async () => {
  expect(await Router.find({ address: "127.0.0.1", port: 9, timeoutMs: 50 })).toBeUndefined();
});
