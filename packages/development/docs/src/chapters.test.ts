import { expect, test } from "vitest";
import { documents, withoutCode } from "./documents.js";

const chapters = documents().filter(({ path }) => /^docs\/protocol\/\d\d-/.test(path));

/** Sections of a text: the number of each heading with the text below it. */
function sections(text: string): [number: string, body: string][] {
  return text
    .split(/^#{1,6} /m)
    .slice(1)
    .map((part) => [/^(?:Appendix )?([\dA-Z]+(?:\.\d+)*[a-z]?)/.exec(part)?.[1] ?? "", part]);
}

/** The numbers of the rules of a section, in their order. */
function rulesOf(body: string): number[] {
  return [...body.matchAll(/^(?:[*-] )?\*\*R(\d+)\.\*\*/gm)].map(([, number]) => Number(number));
}

test("every chapter states its readers and its content", () => {
  expect(chapters.length).toBeGreaterThan(10);
  for (const { path, text } of chapters) expect(text, path).toMatch(/^# .*\n\n\*\*For\*\* .*\*\*Holds\*\* /);
});

test("the rules of a section are numbered from one", () => {
  let rules = 0;
  for (const { path, text } of chapters)
    for (const [number, body] of sections(text)) {
      const found = rulesOf(body);
      rules += found.length;
      expect(found, `${path} §${number}`).toEqual(found.map((_, index) => index + 1));
    }
  expect(rules).toBeGreaterThan(1_000);
});

test("every rule that a document names by its number is there", () => {
  const known = new Set(
    chapters.flatMap(({ path, text }) =>
      sections(text).flatMap(([number, body]) =>
        rulesOf(body).map((rule) => `${path.slice(14, 16)} §${number} R${rule}`),
      ),
    ),
  );
  const named = documents().flatMap(({ path, text }) =>
    [...text.matchAll(/\b\d\d §[\dA-Z.]+ R\d+/g)].map(([rule]) => ({ path, rule })),
  );
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter(({ rule }) => !known.has(rule))).toEqual([]);
});

test("the words are plain: one name for each node, no riddles", () => {
  const banned =
    /\b(tells?|told|whom|whoever|somebody|anybody|thereof|anew|quirks?|Ref-[RS]|newer (node|dialect)|reference node)\b/gi;
  const found = chapters.flatMap(({ path, text }) =>
    [...plain(text).matchAll(banned)].map(([word]) => `${path}: ${word}`),
  );
  expect(found).toEqual([]);
});

test("sentences have at most thirty words, with few exceptions", () => {
  const long = chapters.flatMap(({ text }) =>
    plain(text).split(/(?<=[.!?:;])["”)*]*\s+|\n\n|\n(?=[>*#|-]| *\d+\.)| \| /),
  );
  // May only fall.
  expect(long.filter((sentence) => (sentence.match(/[\w’'-]+/g) ?? []).length > 30).length).toBeLessThanOrEqual(20);
});

/** Returns the prose of a text: without code and names of sources. */
function plain(text: string): string {
  return withoutCode(text)
    .replaceAll(/^Sources.*$/gm, "")
    .replaceAll(/`+[^`\n]*`+/g, "X")
    .replaceAll(/\[[^\]]*\]/g, "");
}
