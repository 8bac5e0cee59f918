// biome-ignore-all lint/suspicious/noTemplateCurlyInString: HOCON's substitutions look like placeholders
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ConfigError } from "../ConfigError.js";
import type { HoconValue, ObjectNode } from "./hoconNode.js";
import { parseHocon } from "./parseHocon.js";
import { resolveHocon } from "./resolveHocon.js";

type Plain = string | null | Plain[] | { [name: string]: Plain };

const parse = (text: string): ObjectNode =>
  parseHocon({ text, name: "test.conf", prefix: [], readInclude: () => undefined });

function plain(value: HoconValue): Plain {
  if (value.kind === "text") return value.isNull ? null : value.text;
  if (value.kind === "array") return value.items.map(plain);
  return Object.fromEntries([...value.fields].map(([name, inner]) => [name, plain(inner)]));
}

const read = (text: string, environment: Record<string, string> = {}): Plain =>
  plain(resolveHocon(parse(text), (name) => environment[name]));

const faultOf = (text: string): string => {
  try {
    read(text);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as ConfigError).message.split("\n").slice(1).join("\n");
  }
  return "no fault";
};

describe("what a file may look like", () => {
  test.each<[string, string, Plain]>([
    ["nothing", "", {}],
    ["only comments", "# one\n// two\n", {}],
    ["the three ways to give a value", 'a = 1, b : 2\nc { d = "e" }', { a: "1", b: "2", c: { d: "e" } }],
    ["JSON", '{"a": [1, 2.5, true, null], "b": {"c": "d"}}', { a: ["1", "2.5", "true", null], b: { c: "d" } }],
    ["paths as keys", 'a.b.c = 1, a."b.c" = 2, a.b.d = 3', { a: { b: { c: "1", d: "3" }, "b.c": "2" } }],
    ["numbers and spaces within keys", "10.0foo = 1, a  b c : 2", { "10": { "0foo": "1" }, "a  b c": "2" }],
    ["comments after values", "a = 1 # one\nb = two // three\nc = http //d", { a: "1", b: "two", c: "http" }],
    ["words beside each other", "a =  5   seconds  \nb = x\ty", { a: "5   seconds", b: "x\ty" }],
    ["texts beside words", 'a = "x" y "z"', { a: "x y z" }],
    ["escapes", '"a\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e4" = b', { 'a"\\/\b\f\n\r\tä': "b" }],
    ["text over lines, with marks at its end", 'a = """x\n"y"" """"', { a: 'x\n"y"" "' }],
    ["lists over lines", "a = [\n 1\n 2, # two\n 3,\n]", { a: ["1", "2", "3"] }],
    ["a later value", "a = 1\na = 2", { a: "2" }],
    ["objects that merge", "a { b = 1, c { d = 2 } }\na { c { e = 3 } }", { a: { b: "1", c: { d: "2", e: "3" } } }],
    ["a value between objects", "a { b = 1 }\na = 5\na { c = 2 }", { a: { c: "2" } }],
    [
      "lists and objects beside each other",
      "a = [1] [2]\nb = {c = 1} {d = 2}",
      { a: ["1", "2"], b: { c: "1", d: "2" } },
    ],
    ["a value on the next line", "a =\n  1\nb\n{ c = 2 }", { a: "1", b: { c: "2" } }],
    ["Windows line ends and a byte order mark", "\ufeffa = 1\r\nb = 2\r\n", { a: "1", b: "2" }],
    [
      "a name that objects have of their own",
      "__proto__ { a = 1 }\nconstructor = 2",
      JSON.parse('{"__proto__":{"a":"1"},"constructor":"2"}'),
    ],
    ["all digits of a number", "a = 9223372036854775807\nb = 1e400", { a: "9223372036854775807", b: "1e400" }],
    ["include as the name of a key", "include = 1", { include: "1" }],
  ])("%s", (_, text, expected) => {
    expect(read(text)).toEqual(expected);
  });
});

describe("substitutions", () => {
  test.each<[string, string, Plain]>([
    ["a key above and below", "a = ${b}\nb = 1\nc = ${b}", { a: "1", b: "1", c: "1" }],
    ["the final value, not the one so far", "a = 1\nb = ${a}\na = 2", { a: "2", b: "2" }],
    ["a part of a text", "dir = /x\nfile = ${dir}/a b", { dir: "/x", file: "/x/a b" }],
    [
      "an object with changes",
      "a { b = 1, c = 2 }\nd = ${a} { c = 3 }",
      { a: { b: "1", c: "2" }, d: { b: "1", c: "3" } },
    ],
    [
      "a key within a substituted object",
      "a { b = 1 }\nd = ${a}\nd.c = 2\ne = ${d.b}",
      { a: { b: "1" }, d: { b: "1", c: "2" }, e: "1" },
    ],
    ["a neighbour in the same object", "a { b = ${a.c}, c = 2 }", { a: { b: "2", c: "2" } }],
    ["the value before", 'path = "a"\npath = ${path}":b"', { path: "a:b" }],
    ["the object before", "a { b = 1 }\na = ${a} { c = 2 }", { a: { b: "1", c: "2" } }],
    ["adding to a list", "a = [1]\na += 2\na += ${b}\nb = 3", { a: ["1", "2", "3"], b: "3" }],
    ["adding to nothing", "x { a += 1 }", { x: { a: ["1"] } }],
    ["a variable", "a = ${HOME}/x", { a: "/home/x" }],
    ["a key before a variable", "HOME = 1\na = ${HOME}", { HOME: "1", a: "1" }],
    [
      "an optional one that is missing",
      "a = ${?NOPE}\nb = 1\nb = ${?NOPE}\nc = x${?NOPE}y\nd = [${?NOPE}, 1]",
      { b: "1", c: "xy", d: ["1"] },
    ],
    ["an optional one that is there", "b = 1\nb = ${?HOME}", { b: "/home" }],
  ])("%s", (_, text, expected) => {
    expect(read(text, { HOME: "/home" })).toEqual(expected);
  });
});

describe("a fault has its place and its remedy", () => {
  test.each([
    ["a = ", "test.conf:1:5: expected a value for a, found the end of the file"],
    ["a = 1\nb =\nc = 2", "test.conf:2:4: the key b has no value: give it one, or put # before its line"],
    ["a { b = 1", "test.conf:1:3: this { has no closing }"],
    ["a = [1, 2", "test.conf:1:5: this [ has no closing ]"],
    ['a = "x\nb = 2', "test.conf:1:5: the text has no closing quotation mark"],
    ['a = """x', "test.conf:1:5: the text has no closing quotation marks"],
    ['a = "\\x"', 'test.conf:1:6: unknown escape "\\x"'],
    ["a = 1 b = 2", 'test.conf:1:9: expected a comma or the end of the line, found "="'],
    ["a", 'test.conf:1:2: expected "=", ":" or "{" after the key a, found the end of the file'],
    ["= 1", 'test.conf:1:1: expected a key, found "="'],
    ["a..b = 1", "test.conf:1:1: a key must not have an empty part; put it in quotation marks"],
    ["a. = 1", "test.conf:1:1: the key ends with a dot"],
    ["a = 1 }", 'test.conf:1:7: expected a key, found "}"'],
    ["a = 1,,b = 2", 'test.conf:1:7: expected a key, found ",b"'],
    ["a = ${b", 'test.conf:1:8: expected "}" after the name of a substitution, found the end of the file'],
    ["a = @", 'test.conf:1:5: expected a value for a, found "@"'],
    ["\n  a = ${b}", "test.conf:2:7: ${b} stands for nothing: there is no such key and no environment variable"],
    ["a = ${a}", "test.conf:1:5: ${a} stands for nothing: there is no such key and no environment variable"],
    ["a = ${b}\nb = ${a}", "test.conf:2:5: ${a} stands for nothing: there is no such key and no environment variable"],
    ["a = [1] x", "test.conf:1:5: a text, a list and an object cannot stand beside each other"],
    ["a = [{ b += 1 }]", "test.conf:1:8: += cannot be used within an array"],
    ['include url("http://x")', 'test.conf:1:9: only files can be included, found "url(\\"http://x\\")"'],
  ])("%j", (text, fault) => {
    expect(faultOf(text)).toBe(fault);
  });

  test("what nests or multiplies without end", () => {
    expect(faultOf(`a = ${"[".repeat(200)}`)).toBe("test.conf:1:105: values nest deeper than 100");
    expect(faultOf(`${"a.".repeat(200)}a = 1`)).toBe("test.conf:1:1: the key has more than 100 parts");
    const doubled = Array.from({ length: 40 }, (_, index) => `a${index + 1} = \${a${index}}\${a${index}}`).join("\n");
    expect(faultOf(`a0 = x\n${doubled}`)).toMatch(/the text is longer than 1000000 characters$/);
    const lists = Array.from(
      { length: 40 },
      (_, index) => `a${index + 1} = [\${?a${index}}, \${?a${index + 1}}, \${?b}]`,
    );
    expect(() => read(lists.join("\n"))).not.toThrow();
    const references = Array.from({ length: 30 }, (_, index) => `\${?a${index}}`).join("");
    const knot = Array.from({ length: 30 }, (_, index) => `a${index} = ${references}x`).join("\n");
    expect(faultOf(knot)).toMatch(/the substitutions never come to an end$/);
  });
});

test("any text is either understood or has a fault with its place", () => {
  const piece = fc.constantFrom(
    "a",
    "b",
    ".",
    "=",
    ":",
    "{",
    "}",
    "[",
    "]",
    ",",
    "\n",
    " ",
    '"',
    '"""',
    "${",
    "${?",
    "+=",
    "#",
    "//",
    "\\",
    "1",
    "null",
    "include ",
  );
  const text = fc.oneof(
    fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join("")),
    fc.string({ maxLength: 60 }),
  );
  fc.assert(
    fc.property(text, (source) => {
      const fault = faultOf(source);
      if (fault !== "no fault") expect(fault).toMatch(/^test\.conf:\d+:\d+: ./);
    }),
    { numRuns: 3000 },
  );
});

test("every JSON document is understood", () => {
  const asText = (value: unknown): Plain => {
    if (value === null) return null;
    if (Array.isArray(value)) return value.map(asText);
    if (typeof value !== "object") return typeof value === "string" ? value : JSON.stringify(value);
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, asText(inner)]));
  };
  const document = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 }));
  fc.assert(
    fc.property(document, fc.constantFrom(undefined, 2), (value, indent) => {
      expect(read(JSON.stringify(value, undefined, indent))).toEqual(asText(value));
    }),
  );
});
