import type { DeployFact } from "@vedette/api";
import { expect, test } from "vitest";
import { deployFactParts, deployFactText, deploySummaryText } from "./deployFactText.js";

const transfer = { type: "transfer", from: "1111A", to: "1111B", amount: 1_250_000_000n, reason: null } as const;

test("each fact has a sentence, by how far it came", () => {
  const facts: DeployFact[] = [
    { type: "failed", reason: "Division by zero", line: 4 },
    { type: "failed", reason: "Error: Operator `+` is not defined on String.", line: null },
    { type: "failed", reason: null, line: null },
    { ...transfer, outcome: "done" },
    { ...transfer, outcome: "ran" },
    { ...transfer, outcome: "asked" },
    { ...transfer, outcome: "undone", reason: "Insufficient funds" },
    { type: "transfer", from: null, to: null, amount: null, outcome: "ran", reason: null },
    { type: "bond", amount: 100_000_000_000n, outcome: "done" },
    { type: "bond", amount: 100_000_000_000n, outcome: "ran" },
    { type: "withdraw", outcome: "asked" },
    { type: "publish", uri: "rho:id:abc", channel: null, outcome: "ran" },
    { type: "publish", uri: null, channel: null, outcome: "asked" },
    { type: "publish", uri: null, channel: '@"twice"', outcome: "undone" },
    { type: "call", uri: "rho:id:abc", channel: null, method: "vote", outcome: "ran" },
    { type: "call", uri: "rho:io:stdout", channel: null, method: null, outcome: "undone" },
    { type: "call", uri: null, channel: '@"box"', method: null, outcome: "asked" },
    { type: "other", reason: "depends" },
  ];
  expect(facts.map((fact) => deployFactText(fact))).toEqual([
    "failed: Division by zero, at line 4",
    "failed: Operator `+` is not defined on String.",
    "failed",
    "1111A sent 12.5 ASI to 1111B",
    "asked to send 12.5 ASI from 1111A to 1111B",
    "is to send 12.5 ASI from 1111A to 1111B",
    "did not send 12.5 ASI from 1111A to 1111B: Insufficient funds",
    "asked to send an amount that the program computes to an address that the program computes",
    "bonded 1,000 ASI",
    "asked to bond 1,000 ASI",
    "is to withdraw the stake",
    "published a value under rho:id:abc",
    "is to publish a value in the registry",
    'did not publish a contract at @"twice"',
    "called rho:id:abc, method vote",
    "did not call rho:io:stdout",
    'is to send to @"box"',
    "does more, depending on values that are not in its program",
  ]);
});

test("amounts are in the network's own token, and no digit is lost", () => {
  const token = { symbol: "VED", decimals: 3 };
  const bond = { type: "bond", amount: -(2n ** 63n), outcome: "done" } as const;
  expect(deployFactText(bond, token)).toBe("bonded -9,223,372,036,854,775.808 VED");
});

test("addresses and names are separate parts, to be shown as links", () => {
  expect(deployFactParts({ ...transfer, outcome: "done" })).toEqual([
    { address: "1111A" },
    " sent 12.5 ASI to ",
    { address: "1111B" },
  ]);
});

test("one line has three facts at most, and how many more there are", () => {
  const call = { type: "call", uri: "rho:a:b", channel: null, method: null, outcome: "ran" } as const;
  expect(deploySummaryText([call, call, call, call, call])).toBe(
    "called rho:a:b; called rho:a:b; called rho:a:b; and 2 more",
  );
});
