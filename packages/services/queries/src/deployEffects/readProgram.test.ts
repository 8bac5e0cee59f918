import { readFileSync } from "node:fs";
import {
  balanceTerm,
  bondTerm,
  bondWithResultTerm,
  type NetworkDialect,
  posQueryTerm,
  systemNames,
  transferTerm,
  transferWithResultTerm,
  unbondTerm,
  unbondWithResultTerm,
} from "@vedette/client";
import { blake2b256, fromHex, registryUri } from "@vedette/crypto";
import { f1r3node, rnode } from "@vedette/protocol";
import { describe, expect, test } from "vitest";
import { programRulesOf } from "./programRules.js";
import { maxProgramLength, readProgram } from "./readProgram.js";

const from = "1111R4PGFk5wHNzjx8VzEHZG7Z4ikxcCgH9RMaM441gi8LfQohYG2";
const to = "11112brKu2ej8aNjeHbUGgJ8Ma67WghgxSUPtC9aR1MKkjpSixztRL";
const call = (uri: string, method: string | null = null) => ({ type: "call", uri, channel: null, method });
const send = (channel: string, method: string | null = null) => ({ type: "call", uri: null, channel, method });
const other = (reason: string) => ({ type: "other", reason });

const dialects = [
  { dialect: "rnode", form: rnode.blockForm },
  { dialect: "f1r3node", form: f1r3node.blockForm },
] as const satisfies readonly { readonly dialect: NetworkDialect; readonly form: unknown }[];

describe.each(dialects)("programs of $dialect", ({ dialect, form }) => {
  const rules = programRulesOf(form);
  const read = (source: string) => readProgram(source, rules);
  const { vaults, proofOfStake } = systemNames[dialect];

  test("what the client and the commands build is known", () => {
    const transfer = [{ type: "transfer", from, to, amount: 12n }];
    expect(read(transferTerm(from, to, 12n, dialect))).toEqual(transfer);
    expect(read(transferWithResultTerm(from, to, 12n, dialect))).toEqual(transfer);
    expect([bondTerm(7n, dialect), bondWithResultTerm(7n, dialect)].map(read)).toEqual([
      [{ type: "bond", amount: 7n }],
      [{ type: "bond", amount: 7n }],
    ]);
    expect([unbondTerm(dialect), unbondWithResultTerm(dialect)].map(read)).toEqual([
      [{ type: "withdraw" }],
      [{ type: "withdraw" }],
    ]);
    expect(read(balanceTerm(to, dialect))).toContainEqual(call(vaults, "balance"));
    expect(read(posQueryTerm("getBonds", dialect))).toEqual([call(proofOfStake, "getBonds")]);
  });

  test("a program for another dialect's contracts calls them by their name", () => {
    const strange = dialect === "f1r3node" ? "rnode" : "f1r3node";
    expect(read(bondTerm(7n, strange))).toEqual([call(systemNames[strange].proofOfStake, "bond")]);
  });

  test("names count, not words: others may have the same word, and texts and comments do not count", () => {
    const lookup = (uri: string) => `new l(\`rho:registry:lookup\`), c in { l!(\`${uri}\`, *c) | `;
    expect(read(`// PoS!("bond", *deployerId, 5, *ret)\n@"x"!("PoS!(bond, 1, 5, 2)")`)).toEqual([
      send('@"x"', "PoS!(bond, 1, 5, 2)"),
    ]);
    const inner = `for (@(_, C) <- c) { new C in { C!("bond", 1, 5, 2) } } }`;
    expect(read(`${lookup(proofOfStake)}${inner}`)).toEqual([other("unrecognized")]);
    const renamed = `for (@(_, ASIVault) <- c) { @ASIVault!("bond", 1, 5, 2) } }`;
    expect(read(`${lookup(proofOfStake)}${renamed}`)).toEqual([{ type: "bond", amount: 5n }]);
    expect(read(`${lookup("rho:id:abc")}for (x <- c) { x!("vote", 1) } }`)).toEqual([call("rho:id:abc", "vote")]);
  });

  test("values that the program binds are followed, those that it computes are not", () => {
    const pay = (amount: string) => `new l(\`rho:registry:lookup\`), pay, c, v in {
      contract pay(@to, @amount) = { l!(\`${vaults}\`, *c) | for (@(_, V) <- c) {
        @V!("findOrCreate", "${from}", *v) | for (@either <- v) {
          match either { (true, vault) => { @vault!("transfer", to, amount, 1, 2) } (false, e) => { @"error"!(e) } } } } } |
      pay!("${to}", ${amount}) }`;
    expect(read(pay("3"))).toEqual([{ type: "transfer", from, to, amount: 3n }]);
    expect(read(pay("3 + 1"))).toEqual([{ type: "transfer", from, to, amount: null }]);
  });

  test("what is put into the registry, and contracts at names that any program may call", () => {
    const key = `04${"ab".repeat(64)}`;
    const signed = `new s(\`rho:registry:insertSigned:secp256k1\`), c, r in { s!("${key}".hexToBytes(), (1, bundle+{*c}), "00".hexToBytes(), *r) }`;
    const uri = registryUri(blake2b256(fromHex(key)));
    expect(read(signed)).toEqual([{ type: "publish", uri, channel: null }]);
    const arbitrary = "new a(`rho:registry:insertArbitrary`), c, r in { contract c(x) = { x!(1) } | a!(*c, *r) }";
    expect(read(arbitrary)).toEqual([{ type: "publish", uri: null, channel: null }]);
    expect(read('contract @"twice"(@x, ret) = { ret!(2 * x) }')).toEqual([
      { type: "publish", uri: null, channel: '@"twice"' },
    ]);
  });

  test("a call that only prints something is reported where there is nothing else", () => {
    const show = "new out(`rho:io:stdout`) in { out!(1) }";
    expect(read(show)).toEqual([call("rho:io:stdout")]);
    expect(read(`${show} | @"x"!(1)`)).toEqual([send('@"x"')]);
  });

  test("an effect that depends on others is not reported as done", () => {
    expect(read('for (@x <- @"a") { @"b"!(x) }')).toEqual([other("depends")]);
    expect(read('@"a"!(1) | for (@x <- @"c") { match x { 1 => { @"b"!(x) } _ => { Nil } } }')).toEqual([
      send('@"a"'),
      other("depends"),
    ]);
    expect(read('new c in { for (x <- c) { @"never"!(1) } }')).toEqual([other("unrecognized")]);
    expect(read("Nil")).toEqual([other("unrecognized")]);
    expect(read("new x in {")).toEqual([other("unreadable")]);
  });

  test("programs that are large, deep, or never end are left soon", () => {
    const nested = (open: string, close: string) =>
      open.repeat(Math.floor(maxProgramLength / (open.length + close.length) - 1)).concat("Nil", close.repeat(4));
    expect(read(`@0!(1)|`.repeat(maxProgramLength / 7).concat("Nil"))).toEqual([other("tooLarge")]);
    expect(read("Nil|".repeat(100_000).concat("Nil"))).toEqual([other("tooLarge")]);
    expect(read(nested("[", "]"))).toEqual([other("tooLarge")]);
    expect(read('new loop in { contract loop(@n) = { loop!(n + 1) | loop!(n) } | loop!(0) | @"a"!(1) }')).toEqual([
      send('@"a"'),
      other("tooLarge"),
    ]);
    const many = Array.from({ length: 300 }, (_, index) => `@${index}!(1)`).join("|");
    expect(read(many).at(-1)).toEqual(other("tooLarge"));
    const chain = Array.from({ length: 200 }, (_, index) => `for (_ <- c${index}) { c${index + 1}!(1) }`).join(" | ");
    const names = Array.from({ length: 201 }, (_, index) => `c${index}`).join(", ");
    expect(read(`new ${names} in { c0!(1) | ${chain} | for (_ <- c200) { @"end"!(1) } }`)).toEqual([send('@"end"')]);
  });
});

test("the contract of the guide is a contract at a name", () => {
  const guide = readFileSync(new URL("../../../../../docs/how-to/contracts.md", import.meta.url), "utf8");
  const programs = [...guide.matchAll(/```rholang[^\n]*\n([\s\S]*?)```/g)].map(([, program]) => program!);
  expect(programs.length).toBeGreaterThan(0);
  for (const program of programs)
    for (const { form } of dialects)
      expect(readProgram(program, programRulesOf(form)).map(({ type }) => type)).not.toContain("unreadable");
});
