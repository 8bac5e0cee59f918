import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import oniguruma from "vscode-oniguruma";
import textmate, { type IGrammar } from "vscode-textmate";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const contracts = readdirSync(join(root, "contracts")).filter((name) => /\.rhox?$/.test(name));
let grammar: IGrammar;

beforeAll(async () => {
  const wasm = readFileSync(createRequire(import.meta.url).resolve("vscode-oniguruma/release/onig.wasm"));
  await oniguruma.loadWASM(wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.length));
  const path = fileURLToPath(new URL("../syntaxes/rholang.tmLanguage.json", import.meta.url));
  const registry = new textmate.Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
      createOnigString: (text) => new oniguruma.OnigString(text),
    }),
    loadGrammar: async () => textmate.parseRawGrammar(readFileSync(path, "utf8"), path),
  });
  grammar = (await registry.loadGrammar("source.rholang"))!;
});

/** Each token of a text with its innermost scope; white space is left out. */
function tokensOf(text: string): { readonly text: string; readonly scope: string }[] {
  let state = textmate.INITIAL;
  return text.split("\n").flatMap((line) => {
    const { tokens, ruleStack } = grammar.tokenizeLine(line, state);
    state = ruleStack;
    return tokens
      .map(({ startIndex, endIndex, scopes }) => ({ text: line.slice(startIndex, endIndex), scope: scopes.at(-1)! }))
      .filter((token) => token.text.trim() !== "");
  });
}

describe("the grammar", () => {
  test.each(contracts)("has a scope for every token of %s", (name) => {
    const tokens = tokensOf(readFileSync(join(root, "contracts", name), "utf8"));
    expect(tokens.length).toBeGreaterThan(100);
    expect(tokens.filter(({ scope }) => scope === "source.rholang")).toEqual([]);
  });

  test("distinguishes what reads alike", () => {
    const text =
      'contract @"a"(x, _, @[h ...t]) = { bundle+{*x} | x!!("\\"$$u$$") | for (@_x <<- x & y <= z) { x.nth(0) } } // c';
    expect(
      tokensOf(text).map((token) => `${token.text.trim()} ${token.scope.replace(/\.rholang$/, "")}`),
    ).toMatchInlineSnapshot(`
      [
        "contract storage.type",
        "@ keyword.operator.quote",
        "" string.quoted.double",
        "a string.quoted.double",
        "" string.quoted.double",
        "( punctuation.section.parens",
        "x variable.other",
        ", punctuation.separator",
        "_ variable.language.wildcard",
        ", punctuation.separator",
        "@ keyword.operator.quote",
        "[ punctuation.section.brackets",
        "h variable.other",
        "... punctuation.separator.remainder",
        "t variable.other",
        "] punctuation.section.brackets",
        ") punctuation.section.parens",
        "= keyword.operator.assignment",
        "{ punctuation.section.braces",
        "bundle+ storage.modifier.bundle",
        "{ punctuation.section.braces",
        "* keyword.operator.arithmetic",
        "x variable.other",
        "} punctuation.section.braces",
        "| keyword.operator.parallel",
        "x entity.name.function.call",
        "!! keyword.operator.send",
        "( punctuation.section.parens",
        "" string.quoted.double",
        "\\" constant.character.escape",
        "$$u$$ variable.other.macro",
        "" string.quoted.double",
        ") punctuation.section.parens",
        "| keyword.operator.parallel",
        "for keyword.control",
        "( punctuation.section.parens",
        "@ keyword.operator.quote",
        "_x variable.other",
        "<<- keyword.operator.receive",
        "x variable.other",
        "& keyword.operator.parallel",
        "y variable.other",
        "<= keyword.operator.receive",
        "z variable.other",
        ") punctuation.section.parens",
        "{ punctuation.section.braces",
        "x variable.other",
        ". punctuation.accessor",
        "nth entity.name.function.method",
        "( punctuation.section.parens",
        "0 constant.numeric",
        ") punctuation.section.parens",
        "} punctuation.section.braces",
        "} punctuation.section.braces",
        "// c comment.line.double-slash",
      ]
    `);
  });

  test("knows a name, an address, a comment over lines, and a call", () => {
    const text = "new out(`rho:io:stdout`), ack in {\n  /* over\n  lines */ out!?(1); ack!(true)\n}";
    expect(
      tokensOf(text).map((token) => `${token.text.trim()} ${token.scope.replace(/\.rholang$/, "")}`),
    ).toMatchInlineSnapshot(`
      [
        "new storage.type",
        "out variable.other",
        "( punctuation.section.parens",
        "\` string.quoted.other.uri",
        "rho:io:stdout string.quoted.other.uri",
        "\` string.quoted.other.uri",
        ") punctuation.section.parens",
        ", punctuation.separator",
        "ack variable.other",
        "in keyword.control",
        "{ punctuation.section.braces",
        "/* comment.block",
        "over comment.block",
        "lines comment.block",
        "*/ comment.block",
        "out entity.name.function.call",
        "!? keyword.operator.send",
        "( punctuation.section.parens",
        "1 constant.numeric",
        ") punctuation.section.parens",
        "; punctuation.separator",
        "ack entity.name.function.call",
        "! keyword.operator.send",
        "( punctuation.section.parens",
        "true constant.language",
        ") punctuation.section.parens",
        "} punctuation.section.braces",
      ]
    `);
  });
});
