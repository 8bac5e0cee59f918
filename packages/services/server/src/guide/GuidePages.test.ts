import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { GuidePages } from "./GuidePages.js";
import { pageHeader, pageStyle } from "./pageFrame.js";

const folder = mkdtempSync(join(tmpdir(), "vedette-guide-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const pages = new GuidePages();
/** It has the form of the explorer's search. */
const pageHeaderOf = (html: string) => /<header class="top">.*?<\/header>/s.exec(html)![0];

test("every document is a page, and the first one is the index", () => {
  expect(pages.names).toContain("how-to/dev");
  expect(pages.names).toContain("contracts/readme");
  expect(pages.names).toContain("explanation/replicas");
  expect(pages.page("")?.title).toBe("Documents");
});

test("every link of every page leads to a page, a heading of one, a route of the node, or another site", () => {
  let followed = 0;
  for (const name of pages.names) {
    const base = new URL(`http://node/guide/${name}`);
    for (const [, href] of pages.page(name)!.html.matchAll(/ href="([^"]*)"/g)) {
      const { host, pathname, hash } = new URL(href!, base);
      if (host !== "node" || !pathname.startsWith("/guide/")) continue;
      const target = pathname.slice("/guide/".length);
      if (["style.css", "frame.js"].includes(target)) continue;
      const page = pages.page(target);
      expect(page, `${name}: ${href}`).toBeDefined();
      if (hash !== "") expect(page!.html, `${name}: ${href}`).toContain(` id="${decodeURIComponent(hash.slice(1))}"`);
      followed += 1;
    }
  }
  expect(followed).toBeGreaterThan(200);
});

test("programs and tables, which scroll where they are wide, are reached by keyboard", () => {
  const { html } = pages.page("how-to/dev")!;
  expect(html).toContain('<pre tabindex="0">');
  for (const name of pages.names) expect(pages.page(name)!.html, name).not.toMatch(/<(pre|table)>/);
});

test("nothing of a page can run or be fetched from elsewhere", () => {
  for (const name of pages.names) {
    const { html } = pages.page(name)!;
    const own = /<script src="\.\/(?:\.\.\/)*frame\.js"><\/script>/;
    expect(html, name).toMatch(own);
    expect(
      html
        .replace(own, "")
        .replace(pageHeaderOf(html), "")
        .match(/<(script|iframe|img|object|form|style)\b|<[^>]* (?:on\w+|style)=|="javascript:/gi) ?? [],
      name,
    ).toEqual([]);
  }
});

test("HTML in a document is text, pictures are their words, links that a page must not have are none", () => {
  mkdirSync(join(folder, "how-to"));
  writeFileSync(
    join(folder, "how-to/a.md"),
    '# A & b\n\n<script>alert(1)</script> <b onclick="x">bold</b>\n\nSo <i>it</i> is: ![a "picture"](http://x/y.png)\n\n[x](javascript:alert(1)) [gone](gone.md) [site](https://example.org/?a=1&b="2") [home](../README.md#all-of-it)\n',
  );
  writeFileSync(join(folder, "README.md"), "# Documents\n\n## All of it\n");
  const { title, html } = new GuidePages(folder).page("how-to/a")!;
  expect(title).toBe("A & b");
  const [, body] = /<main>\n([\s\S]*)<\/main>/.exec(html)!;
  expect(body).toMatchInlineSnapshot(`
    "<h1 id="a--b">A &amp; b</h1>
    &lt;script&gt;alert(1)&lt;/script&gt; &lt;b onclick=&quot;x&quot;&gt;bold&lt;/b&gt;<p>So &lt;i&gt;it&lt;/i&gt; is: a &quot;picture&quot;</p>
    <p>x gone <a href="https://example.org/?a=1&amp;b=&quot;2&quot;">site</a> <a href="./../#all-of-it">home</a></p>
    "
  `);
});

test("what is no page is none, whatever it looks like", () => {
  for (const name of ["../README", "docs/README.md", "how-to/dev.md", "__proto__", "plans/some-plan", "%2e%2e/a"])
    expect(pages.page(name)).toBeUndefined();
  expect(new GuidePages(join(folder, "none")).names).toEqual([]);
});

test("pages have the explorer's colours, in light and in dark", () => {
  const tokens = readFileSync(new URL("../../../explorer/src/theme/tokens.css", import.meta.url), "utf8");
  const [, light = "", dark = ""] =
    /:root \{([^}]+)\}[\s\S]*?:root\[data-theme="dark"\] \{([^}]+)\}/.exec(tokens) ?? [];
  const valueIn = (text: string, name: string) => new RegExp(`--${name}: (#\\w+);`).exec(text)?.[1];
  const pairs = [...pageStyle.matchAll(/--([\w-]+): light-dark\((#\w+), (#\w+)\)/g)];
  expect(pairs.length).toBeGreaterThan(8);
  for (const [, name, ...both] of pairs)
    expect([name, ...both]).toEqual([name, valueIn(light, name!), valueIn(dark, name!)]);
});

test("pages have the entries of the explorer's header", () => {
  const frame = readFileSync(new URL("../../../explorer/src/frame/Frame.tsx", import.meta.url), "utf8");
  const entries = [...frame.matchAll(/^ {2}\["(\/[^"]*)", "([^"]+)"\],$/gm)].map(([, path, name]) => [path, name]);
  const links = [...pageHeader("/", "API").matchAll(/<a href="([^"]+)"(?: aria-current="page")?>([^<]+)<\/a>/g)];
  expect(entries.length).toBeGreaterThan(10);
  expect(links.map(([, path, name]) => [path, name])).toEqual(entries);
});
