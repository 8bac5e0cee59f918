import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { RemoteFeed } from "./RemoteFeed.js";

/** Answers on a port of this machine. */
async function serving(answer: RequestListener): Promise<{ readonly url: string } & AsyncDisposable> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const end = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return { url: `http://127.0.0.1:${port}`, [Symbol.asyncDispose]: end };
}

test.each([301, 302, 303, 307, 308])(
  "a node that sends its index on to another host is not followed: %i",
  async (status) => {
    const asked: string[] = [];
    await using other = await serving((request, response) => {
      asked.push(`${request.url} ${request.headers.authorization}`);
      response.end('{"result":{"begunWith":"aa"}}');
    });
    const location = `${other.url}/v2/feed`;
    await using node = await serving((_request, response) => void response.writeHead(status, { location }).end());
    const feed = new RemoteFeed(node.url.replace("//", "//user:secret@"));
    const refusal = await feed.about().catch((error: Error) => `${error.message} ${(error.cause as Error).message}`);
    expect(refusal).toContain(`status ${status}`);
    expect(refusal).not.toContain("secret");
    expect(asked).toEqual([]);
  },
);

test("nor is one with a public API that redirects", async () => {
  const asked: string[] = [];
  await using other = await serving((request, response) => {
    asked.push(request.url ?? "");
    response.end("{}");
  });
  await using node = await serving((request, response) => {
    if (request.url === "/v2/feed") response.writeHead(404).end();
    else response.writeHead(302, { location: `${other.url}${request.url}` }).end();
  });
  await expect(new RemoteFeed(node.url).about()).rejects.toThrow(/sends the call on to .*, which is not followed/);
  expect(asked).toEqual([]);
});
