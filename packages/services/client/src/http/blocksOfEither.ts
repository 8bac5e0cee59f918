import type { dialectNeutralRoutes, Static } from "@vedette/api";
import { toHex } from "@vedette/crypto";
import type { FullBlock, LightBlock } from "./answers.js";

type ReportedBlocks = Static<(typeof dialectNeutralRoutes.blocks)["answer"]["schema"]>;
type ApiBlockRow = Static<(typeof dialectNeutralRoutes.block)["answer"]["schema"]>;

/** Blocks of a list, whichever dialect the node's network has. @spec 50 §1.9, §10.3 */
export function lightBlocksOf(answer: ReportedBlocks): LightBlock[] {
  return answer.map((one) => lightBlockOf("blockInfo" in one ? one.blockInfo : one));
}

/** A block with its bytes in hexadecimal digits. @spec 50 §10.3 */
export function lightBlockOf(info: ApiBlockRow["blockInfo"]): LightBlock {
  if (info.isFinalized === undefined) return info;
  const { extraBytes, headerExtraBytes, bodyExtraBytes } = info;
  return {
    ...info,
    extraBytes: hexOf(extraBytes),
    headerExtraBytes: hexOf(headerExtraBytes),
    bodyExtraBytes: hexOf(bodyExtraBytes),
  };
}

export function fullBlockOf({ blockInfo, deploys }: ApiBlockRow): FullBlock {
  return { blockInfo: lightBlockOf(blockInfo), deploys };
}

/** Earlier versions sent hex digits on such networks; what is no base 64 is left as it is. */
function hexOf(base64: string): string {
  try {
    return toHex(Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)));
  } catch {
    return base64;
  }
}
