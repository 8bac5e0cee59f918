import { FakeHttpNode } from "@vedette/client/fakes";
import { expect, test } from "vitest";
import { forkPointOf } from "./ForkPoint.js";

const withLogin = (url: string) => url.replace("//", "//ada:secret@");

test("a fork that cannot begin repeats no password", async () => {
  await using node = await FakeHttpNode.start(() => ({ status: 401, type: "text/plain", text: "" }));
  const refused = await forkPointOf(withLogin(node.url), undefined).catch(String);
  expect(refused).toContain(`--fork: there is no node at ${node.url}: `);
  const texts = [refused];
  for (const text of ["ftp://ada:secret@host", "http://ada:sec/ret@host", "ada:secret@host"])
    texts.push(await forkPointOf(text, undefined).catch(String));
  expect(texts.filter((text) => /ada|sec|ret@/.test(String(text)))).toEqual([]);
  expect(node.requests[0]!.headers.authorization).toMatch(/^Basic /);
});

test("a node that sends a fork on to another host is not followed", async () => {
  await using other = await FakeHttpNode.start(() => "{}");
  await using node = await FakeHttpNode.start(({ path }) => ({
    ...{ status: 307, text: "", headers: { location: `${other.url}${path}` } },
  }));
  const refused = await forkPointOf(node.url, undefined).catch(String);
  expect(refused).toContain("which is not followed");
  expect(other.requests).toEqual([]);
});
