import { firstOffender, refusedToken, terminals } from "@vedette/rholang/testing";
import { must, type Target } from "../driver/Target.js";

const maxTokens = 40;

/** A byte is a token; the parser must accept and refuse what the grammar does, at the same token. */
export const rholangGrammar: Target = {
  name: "rholang-grammar",
  about: "the parser accepts what the grammar derives, and refuses the rest at the same token",
  cost: "expensive",
  files: ["rholang/syntax/"],
  maxBytes: maxTokens,
  *seeds() {
    for (let first = 0; first < terminals.length; first += 1) yield Uint8Array.of(first);
  },
  run(input) {
    const tokens = tokensOf(input);
    const refused = refusedToken(tokens);
    const expected = firstOffender(tokens);
    must(refused === expected, `the parser refuses token ${refused}, the grammar ${expected}`);
  },
  show: (input) => tokensOf(input).join(" "),
};

function tokensOf(input: Uint8Array): string[] {
  return Array.from(input.subarray(0, maxTokens), (byte) => terminals[byte % terminals.length]!);
}
