import { toHex } from "@vedette/crypto";
import type { Block } from "@vedette/protocol";

/** What is told of a new block: its number, its deploys, what they cost, whether they failed. */
export function blockLines({ number, hash, body, header }: Block): string {
  const time = new Date(Number(header.timestamp)).toISOString().slice(0, 19).replace("T", " ");
  const deploys = body.deploys.map(({ deploy, cost, failed, systemDeployError }) => {
    const outcome = systemDeployError || (failed ? "failed" : "ok");
    return `      ${toHex(deploy.signature).slice(0, 16)}…  ${cost} phlo  ${outcome}`;
  });
  return [`#${number}  ${toHex(hash).slice(0, 16)}…  ${time}`, ...deploys, ""].join("\n");
}
