import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders, request, type Server } from "node:http";
import { connect, createServer as createHttp2Server, type Http2Server } from "node:http2";
import type { AddressInfo } from "node:net";
import { connect as connectSocket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TrustedProxies } from "@vedette/config";
import { freePort, until } from "@vedette/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newSettings } from "../NetworkSettings.js";
import { planNetwork } from "../planNetwork.js";
import { findServer, haproxy } from "./findServer.js";
import { proxyProgram, writeFleetFiles } from "./fleetFiles.js";
import { planFleet } from "./planFleet.js";
import { proxyConfig } from "./proxyConfig.js";

const program = findServer(haproxy, undefined);
if (program === undefined) process.stderr.write("the proxy's configuration is not tried: there is no haproxy\n");
const host = "127.0.0.1";

/** The state that a member reports. */
type Standing = "inSync" | "behind" | "veryBehind";

/** Replaces a replica: it has a replica's ports and readiness, and answers with the headers of the request. */
class Member implements AsyncDisposable {
  standing: Standing = "inSync";
  readonly name: string;
  readonly #http: Server;
  readonly #http2: Http2Server;

  constructor(name: string) {
    this.name = name;
    const answerOf = (headers: IncomingHttpHeaders) => JSON.stringify({ name, headers });
    this.#http = createServer(({ url = "", headers }, answer) => {
      const isReady = url === "/health/ready" ? this.standing === "inSync" : this.standing !== "veryBehind";
      if (!url.startsWith("/health/ready")) answer.end(answerOf(headers));
      else answer.writeHead(isReady ? 200 : 503).end();
    });
    this.#http2 = createHttp2Server(({ headers }, answer) => void answer.end(answerOf(headers)));
  }

  async listen() {
    const portOf = async (server: Server | Http2Server) => {
      server.listen(0, host);
      await once(server, "listening");
      return (server.address() as AddressInfo).port;
    };
    return { name: this.name, host, httpPort: await portOf(this.#http), grpcPort: await portOf(this.#http2) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#http.closeAllConnections();
    this.#http.close();
    this.#http2.close();
  }
}

interface MemberAnswer {
  readonly name: string;
  readonly headers: IncomingHttpHeaders;
}

describe.skipIf(program === undefined)("HAProxy before a fleet", () => {
  const folder = mkdtempSync(join(tmpdir(), "vedette-proxy-"));
  const members = [new Member("first"), new Member("second")];
  const ports = { http: 0, grpc: 0 };
  let proxy: ChildProcess;

  beforeAll(async () => {
    [ports.http, ports.grpc] = [await freePort(), await freePort()];
    const plans = await Promise.all(members.map((member) => member.listen()));
    const file = join(folder, "haproxy.cfg");
    writeFileSync(file, proxyConfig({ host, httpPort: ports.http, grpcPort: ports.grpc, members: plans }));
    proxy = spawn(program!, ["-db", "-f", file], { stdio: "ignore" });
    await until("the proxy to listen", () => isOpen(ports.http), { everyMs: 50 });
  });
  afterAll(async () => {
    const ended = once(proxy, "exit");
    proxy.kill("SIGKILL");
    await ended;
    for (const member of members) await member[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  });

  /** Names of the members that answer, after enough requests that each has had its turn. */
  async function answering(ask: (client?: Client) => Promise<MemberAnswer | undefined>): Promise<string[]> {
    const answers: (MemberAnswer | undefined)[] = [];
    for (let at = 0; at < 8; at += 1) answers.push(await ask());
    return [...new Set(answers.map((answer) => answer?.name ?? "no member"))].toSorted();
  }

  async function expectAnswers(names: readonly string[]): Promise<void> {
    for (const ask of [requestHttp, requestHttp2])
      await expect.poll(() => answering(ask), { interval: 200 }).toEqual(names);
  }

  interface Client {
    readonly localAddress: string;
    readonly headers: Readonly<Record<string, string>>;
  }

  async function requestHttp({ localAddress, headers }: Client = { localAddress: host, headers: {} }) {
    const asked = request({ host, port: ports.http, path: "/status", localAddress, headers, agent: false });
    asked.end();
    const [answer] = await once(asked, "response");
    const text = (await answer.setEncoding("utf8").toArray()).join("");
    return answer.statusCode === 200 ? (JSON.parse(text) as MemberAnswer) : undefined;
  }

  async function requestHttp2({ localAddress, headers }: Client = { localAddress: host, headers: {} }) {
    const socket = connectSocket({ host, port: ports.grpc, localAddress });
    const session = connect(`http://${host}:${ports.grpc}`, { createConnection: () => socket });
    try {
      const stream = session.request({ ":path": "/status", ...headers });
      const [answer] = await once(stream, "response");
      const text = (await stream.setEncoding("utf8").toArray()).join("");
      return answer[":status"] === 200 ? (JSON.parse(text) as MemberAnswer) : undefined;
    } finally {
      session.close();
    }
  }

  test("HAProxy takes the configuration that is made for a fleet, without a warning", () => {
    const network = planNetwork(join(folder, "network"), newSettings({}));
    const fleet = planFleet(network, 3);
    writeFleetFiles(fleet, network, "test-network");
    const { command, args } = proxyProgram(program!, fleet);
    const checked = spawnSync(command, ["-c", ...args], { encoding: "utf8" });
    expect(checked.stderr).not.toMatch(/\[(WARNING|ALERT)\]/);
    expect(checked.status).toBe(0);
  });

  test("members in sync answer; without any, those that are behind; and again those in sync", async () => {
    const [first, second] = members;
    await expectAnswers(["first", "second"]);
    first!.standing = "behind";
    await expectAnswers(["second"]);
    second!.standing = "veryBehind";
    await expectAnswers(["first"]);
    first!.standing = "veryBehind";
    await expectAnswers(["no member"]);
    [first!.standing, second!.standing] = ["behind", "behind"];
    await expectAnswers(["first", "second"]);
    second!.standing = "inSync";
    await expectAnswers(["second"]);
    first!.standing = "inSync";
    await expectAnswers(["first", "second"]);
  });

  test("a member that trusts the proxy sees the client's address, even where the client forges one", async () => {
    await expectAnswers(["first", "second"]);
    const proxies = new TrustedProxies([host], "x-forwarded-for");
    const forged = { localAddress: "127.0.0.7", headers: { "x-forwarded-for": "198.51.100.1" } };
    for (const ask of [requestHttp, requestHttp2]) {
      const answer = await ask({ localAddress: "127.0.0.5", headers: {} });
      expect(proxies.clientOf(host, answer!.headers)).toBe("127.0.0.5");
      const said = await ask(forged);
      expect(proxies.clientOf(host, said!.headers)).toBe("127.0.0.7");
    }
  });
});

async function isOpen(port: number): Promise<boolean> {
  const socket = connectSocket(port, host);
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
