import { once } from "node:events";
import { request } from "node:http";
import type { AddressInfo } from "node:net";
import { networkInterfaces } from "node:os";
import { TrustedProxies } from "@vedette/config";
import { expect, test } from "vitest";
import { bareServer } from "./bareServer.js";
import { rnodeHttpConventions } from "./conventions/rnodeHttpConventions.js";

const proxy = "127.0.0.2";
const stranger = "127.0.0.3";
const hasIpv6 = Object.values(networkInterfaces()).some((some) => some?.some(({ family }) => family === "IPv6"));
if (!hasIpv6) process.stderr.write("a server of both families is not tried: there is no IPv6\n");

test.skipIf(!hasIpv6)("a server of both families knows its proxy by the IPv4 address", async () => {
  const server = bareServer("public", rnodeHttpConventions, {
    proxies: new TrustedProxies([proxy], "x-forwarded-for"),
  });
  server.get("/who", (asked) => asked.ip);
  await server.listen({ host: "::", port: 0 });
  const { port } = server.server.address() as AddressInfo;
  const who = async (localAddress: string, client: string) => {
    const headers = { "x-forwarded-for": client };
    const asked = request({ host: "127.0.0.1", port, path: "/who", localAddress, headers, agent: false }).end();
    const [answer] = await once(asked, "response");
    return (await answer.setEncoding("utf8").toArray()).join("") as string;
  };
  expect(await who(stranger, "203.0.113.5")).toBe(`::ffff:${stranger}`);
  expect(await who(proxy, "::ffff:203.0.113.5")).toBe("203.0.113.5");
  await server.close();
});
