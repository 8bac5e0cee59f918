import { fromHex, toHex } from "@vedette/crypto";
import type { CheckedVector } from "@vedette/rholang";
import { f1r3nodeExecution } from "../form/f1r3nodeExecution.js";
import { closeBlockTerm, preChargeTerm, refundTerm, type SystemDeployTerm, slashTerm } from "./terms.js";

/** One line of the file: a system deploy as f1r3node makes it. */
interface SystemDeployVector {
  readonly kind: "precharge" | "refund" | "close" | "slash";
  /** The seed of the generator. */
  readonly seed: string;
  readonly returnChannel: string;
  readonly bytes: string;
  readonly channelHash: string;
}

/** Facts that all lines were made with. */
const deployer = fromHex(`04${"11".repeat(64)}`);
const charged = 1000000n;
const refunded = 12345n;
const invalidBlockHash = fromHex("ab".repeat(32));

/** Whether a file holds system deploys, by its name alone. */
export function isSystemDeployFile(fileName: string): boolean {
  return /(^|\/)system-deploys[^/]*\.jsonl(\.gz)?$/.test(fileName);
}

/**
 * Makes each system deploy of a file of vectors of f1r3node, and compares its return channel and its term.
 *
 * @spec 61 §9, §10
 */
export function* checkSystemDeploys(text: string): Generator<CheckedVector> {
  for (const line of text.split("\n")) {
    if (line.trim() === "") continue;
    const vector = JSON.parse(line) as SystemDeployVector;
    yield { id: vector.kind, differences: differencesOf(vector, termOf(vector)) };
  }
}

function termOf({ kind, seed }: SystemDeployVector): SystemDeployTerm {
  const start = f1r3nodeExecution.start(fromHex(seed));
  switch (kind) {
    case "precharge":
      return preChargeTerm(f1r3nodeExecution, deployer, charged, start);
    case "refund":
      return refundTerm(f1r3nodeExecution, refunded, start);
    case "close":
      return closeBlockTerm(f1r3nodeExecution, start);
    case "slash":
      return slashTerm(f1r3nodeExecution, deployer, invalidBlockHash, start);
  }
}

function differencesOf(vector: SystemDeployVector, { term, returnChannel }: SystemDeployTerm): string[] {
  const { terms } = f1r3nodeExecution;
  const made = {
    returnChannel: toHex(terms.encodePar(returnChannel)),
    bytes: toHex(terms.encodePar(term)),
    channelHash: toHex(terms.channelHash(term)),
  };
  const names = ["returnChannel", "bytes", "channelHash"] as const;
  return names
    .filter((name) => made[name] !== vector[name])
    .map((name) => `${name}: expected ${vector[name]}, ours ${made[name]}`);
}
