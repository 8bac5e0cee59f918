import { toHex } from "@vedette/crypto";
import type { Transaction } from "@vedette/execution";
import type { Block } from "@vedette/protocol";
import type { TermCodec } from "@vedette/terms";
import { printPar } from "./printPar.js";
import { TextWriter } from "./TextWriter.js";

const maxUnits = 64 << 20;

/** `TransactionResponse`. @throws {ReportTooLargeError} @spec 41 §8.3, 50 §1.9 */
export function transactionsText(
  block: Block,
  transactions: readonly Transaction[],
  { decodePar }: Pick<TermCodec, "decodePar">,
): string {
  const out = new TextWriter(maxUnits);
  out.write('{"data":');
  out.list(transactions, ({ transfer, type, index }) => {
    const { from, to, amount, answerName, failure } = transfer;
    out.write(`{"transaction":{"fromAddr":${JSON.stringify(from)},"toAddr":${JSON.stringify(to)},"amount":${amount}`);
    out.write(',"retUnforgeable":');
    printPar(out, decodePar(answerName));
    out.write(`,"failReason":${failure === undefined ? "null" : JSON.stringify(failure)}}`);
    out.write(`,"transactionType":{"${type}":${placeText(block, type, index)}}}`);
  });
  out.write("}");
  return out.text;
}

function placeText(block: Block, type: Transaction["type"], index: number): string {
  if (type === "CloseBlock" || type === "SlashingDeploy") return `{"blockHash":"${toHex(block.hash)}"}`;
  return `{"deployId":"${toHex(block.body.deploys[index]!.deploy.signature)}"}`;
}
