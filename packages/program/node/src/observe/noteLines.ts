import { type Line, linesOf } from "@vedette/config/log";
import { toHex } from "@vedette/crypto";
import type { DeployNote } from "@vedette/execution";
import { type Block, shortBlock } from "@vedette/protocol";

const { debug, info } = linesOf("chain");

/**
 * Returns the log lines for programs' output and errors; of old blocks at level debug.
 *
 * @spec 50 §6.2
 */
export function noteLines(block: Block, notes: readonly DeployNote[], isOld: boolean): Line[] {
  const line = isOld ? debug : info;
  return notes.flatMap(({ prints, faults, isCut }, index) => {
    const processed = block.body.deploys[index];
    if (processed === undefined) return [];
    const id = toHex(processed.deploy.signature);
    const subject = `Deploy ${id.slice(0, 20)}...${id.slice(-20)} in block ${shortBlock(block)}`;
    return [
      ...prints.map(({ stream, text }) => line(`${subject} wrote to ${stream}: ${text}`)),
      ...faults.map((fault) => line(`${subject} failed: ${faultText(fault)}`)),
      ...(isCut ? [line(`${subject} wrote more than is stored.`)] : []),
    ];
  });
}

function faultText({ class: name, text, line, column }: DeployNote["faults"][number]): string {
  return `${name}${line === undefined ? "" : ` at ${line}:${column}`}: ${text}`;
}
