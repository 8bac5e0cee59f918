import { bench, describe } from "vitest";
import { compile } from "./compile.js";
import { parseProgram } from "./syntax/Parser.js";

/** A contract of the usual kind: nested receives on several channels, maps, matches, sends. */
const contract = `
new store(\`rho:registry:lookup\`), balance, transfer, ack in {
  balance!({}) |
  contract transfer(@from, @to, @amount /\\ Int, return) = {
    for (@balances <- balance) {
      match [balances.getOrElse(from, 0), balances.getOrElse(to, 0)] {
        [left, right] => {
          if (amount > 0 and left >= amount) {
            // both sides change at once
            balance!(balances.set(from, left - amount).set(to, right + amount)) |
            return!((true, Nil))
          } else {
            balance!(balances) |
            return!((false, "insufficient funds: \${amount}" %% {"amount" : amount}))
          }
        }
      }
    }
  } |
  for (@{"kind" : "query", "who" : who ...rest}, reply <= ack; _ <- store) {
    for (@balances <<- balance) { reply!([who, balances.get(who), rest]) }
  }
}`;

const large = Array.from({ length: 28 }, () => contract).join(" |\n");

describe(`a program of ${large.length} characters`, () => {
  bench("parse", () => {
    parseProgram(large);
  });
  bench("compile", () => {
    compile(large);
  });
});

const flat = Array.from({ length: 50_000 }, (_, i) => `@${i}!(${i})`).join(" | ");

describe("50,000 sends in parallel", () => {
  bench("compile", () => {
    compile(flat);
  });
});
