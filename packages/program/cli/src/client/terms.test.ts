import {
  balanceTerm,
  bondTerm,
  bondWithResultTerm,
  posQueryTerm,
  transferTerm,
  transferWithResultTerm,
  unbondTerm,
  unbondWithResultTerm,
} from "@vedette/client";
import { vaultAddressOfPublicKey } from "@vedette/crypto";
import { compile } from "@vedette/rholang";
import { expect, test } from "vitest";

const alice = vaultAddressOfPublicKey(new Uint8Array(65).fill(0x11))!;
const bob = vaultAddressOfPublicKey(new Uint8Array(65).fill(0x22))!;

test.each([
  ["balance", balanceTerm(alice, "rnode")],
  ["transfer", transferTerm(alice, bob, 1n, "rnode")],
  ["reported transfer", transferWithResultTerm(alice, bob, 1n, "rnode")],
  ["query of proof of stake", posQueryTerm("getBonds", "rnode")],
  ["bond", bondTerm(1n, "rnode")],
  ["reported bond", bondWithResultTerm(1n, "rnode")],
  ["unbond", unbondTerm("rnode")],
  ["reported unbond", unbondWithResultTerm("rnode")],
])("the term of a %s is one closed `new`", (_name, term) => {
  const par = compile(term);
  // An exploratory deploy answers with what lies on the first name of the outermost `new`.
  expect(par.news.length).toBe(1);
  expect(par.connectiveUsed).toBe(false);
  expect([par.sends, par.receives, par.matches].every((list) => list.length === 0)).toBe(true);
});
