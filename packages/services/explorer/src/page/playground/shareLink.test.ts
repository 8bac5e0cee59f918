import { deflateRawSync } from "node:zlib";
import { expect, test } from "vitest";
import { examples } from "./examples.js";
import { linkOf, programOf } from "./shareLink.js";

test("a program goes through a link as it is, whatever it has in it", async () => {
  for (const source of [...examples.map(({ source }) => source), "", "Grüße \u{1F44B} \u0000"])
    expect(await programOf(await linkOf(source))).toBe(source);
});

test("a link has no character that chats take for its end", async () => {
  for (const { source } of examples) expect(await linkOf(source)).toMatch(/^#p=[\w-]+$/);
});

test("a link that is damaged, empty, of something else, or unpacks to much is none", async () => {
  const bomb = deflateRawSync(Buffer.alloc(50_000_000)).toString("base64url");
  const notText = deflateRawSync(Buffer.from([0xff, 0xfe])).toString("base64url");
  for (const fragment of ["", "#", "#p=", "#p=AAAA", "#other", "#p=<b>", `#p=${bomb}`, `#p=${notText}`])
    expect([fragment.slice(0, 20), await programOf(fragment)]).toEqual([fragment.slice(0, 20), undefined]);
});
