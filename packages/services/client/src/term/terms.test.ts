import { fromHex, vaultAddressOfPublicKey } from "@vedette/crypto";
import { ETuple, emptyBitSet, GBool, GByteArray, GInt, GString, nil, type Par, parOfExpr } from "@vedette/terms";
import { expect, test } from "vitest";
import { amountLiteral, stringLiteral } from "./literal.js";
import { readOutcome } from "./outcome.js";
import { bondTerm, bondWithResultTerm, posQueryTerm, unbondTerm, unbondWithResultTerm } from "./posTerms.js";
import { TermError } from "./TermError.js";
import { balanceTerm, transferTerm, transferWithResultTerm } from "./vaultTerms.js";

const alice = vaultAddressOfPublicKey(new Uint8Array(65).fill(0x11))!;
const bob = vaultAddressOfPublicKey(new Uint8Array(65).fill(0x22))!;

test("a transfer is found by the patterns that indexers look for", () => {
  for (const term of [transferTerm(alice, bob, 123n, "rnode"), transferWithResultTerm(alice, bob, 123n, "rnode")]) {
    expect(/@vault!\("transfer", "(1111\w+)", (\d+),/.exec(term)?.slice(1)).toEqual([bob, "123"]);
    expect(term).toContain(`ASIVault!("findOrCreate", "${alice}"`);
    expect(term).toContain(`ASIVault!("findOrCreate", "${bob}"`);
  }
});

test("names are declared in the order of the chapter", () => {
  expect(balanceTerm(alice, "rnode")).toMatch(/^new return, rl\(`rho:registry:lookup`\), ASIVaultCh, vaultCh in/);
  expect(posQueryTerm("getBonds", "rnode")).toMatch(/^new return, rl\(`rho:registry:lookup`\), poSCh in/);
});

test("on an f1r3node network the same contracts have other names", () => {
  const transfer = transferTerm(alice, bob, 1n, "rnode");
  expect(transferTerm(alice, bob, 1n, "f1r3node")).toBe(transfer.replace("rho:rchain:asiVault", "rho:vault:system"));
  expect(balanceTerm(alice, "f1r3node")).toContain("rl!(`rho:vault:system`, *ASIVaultCh)");
  for (const term of [bondTerm(1n, "f1r3node"), unbondWithResultTerm("f1r3node")])
    expect(term).toContain("rl!(`rho:system:pos`, *poSCh)");
});

test("an amount is written in full, up to the largest integer", () => {
  expect(bondTerm(2n ** 63n - 1n, "rnode")).toContain('"bond", *deployerId, 9223372036854775807, *retCh');
  expect(bondWithResultTerm(1n, "rnode")).toContain('"bond", *deployerId, 1, *retCh');
  for (const term of [unbondTerm("rnode"), unbondWithResultTerm("rnode")])
    expect(term).toContain('"withdraw", *deployerId, *retCh');
});

test("nothing but an address and an amount comes into a term", () => {
  const injection = `${bob}", 1, *key, *resultCh) | @vault!("transfer", "${alice}`;
  expect(() => transferTerm(alice, injection, 1n, "rnode")).toThrow(TermError);
  expect(() => transferTerm("", bob, 1n, "rnode")).toThrow(/The sender "" is no vault address: Invalid address length/);
  expect(() => balanceTerm(`${alice.slice(0, -1)}2`, "rnode")).toThrow(/Invalid checksum/);
  for (const amount of [0n, -1n, 2n ** 63n])
    expect(() => transferTerm(alice, bob, amount, "rnode")).toThrow(/out of range/);
});

test("what was typed for an address is repeated only in part", () => {
  const key = "67e56582298859ddae725f972992a07c6c4fb9f62a8fff58ce3ca926a1063530";
  expect(() => balanceTerm(key, "rnode")).toThrow(/^The address "67e565822988…" is no vault address/);
});

test("string literals escape what the lexer reads", () => {
  expect(stringLiteral('a"b\\c\n\r\td')).toBe('"a\\"b\\\\c\\n\r\\td"');
  expect(amountLiteral("amount", 5n)).toBe("5");
});

test("outcomes of reported terms", () => {
  const text = (value: string) => parOfExpr(new GString(value));
  const bool = (value: boolean) => parOfExpr(new GBool(value));
  const tuple = (...items: Par[]) => parOfExpr(new ETuple(items, emptyBitSet, false));
  expect(readOutcome([tuple(bool(true), nil)])).toEqual({ status: "done" });
  expect(readOutcome([tuple(bool(false), text("Insufficient funds"))])).toEqual({
    status: "refused",
    reason: "Insufficient funds",
  });
  expect(readOutcome([tuple(text("error"), text("Sender vault error"), text("Invalid checksum"))])).toEqual({
    status: "refused",
    reason: "Sender vault error: Invalid checksum",
  });
  expect(readOutcome([tuple(bool(false), nil)])).toEqual({ status: "refused", reason: "no reason given" });
  expect(readOutcome([])).toBeUndefined();
  const others = [nil, text("true"), bool(true), tuple(bool(true)), tuple(text("x"), nil), parOfExpr(new GInt(1n))];
  expect(readOutcome([...others, parOfExpr(new GByteArray(fromHex("00")))])).toBeUndefined();
});
