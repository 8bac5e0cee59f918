import { checkVaultAddress } from "@vedette/client";
import { wordsOf } from "./programWords.js";

/** Finds what a text may name by its form alone, without a request. */
export function shapeOf(text: string) {
  const hex = /^(0x)?([0-9a-fA-F]+)$/.exec(text)?.[2]?.toLowerCase();
  const isKey = hex?.length === 130 && hex.startsWith("04");
  const address = checkVaultAddress(text) === undefined ? text : undefined;
  const uri = /^`?rho:[\w:.-]{1,250}`?$/.test(text) ? text.replaceAll("`", "") : undefined;
  return {
    height: /^#?\d{1,15}$/.test(text) ? Number(text.replace("#", "")) : undefined,
    address,
    ethAddress: hex?.length === 40 ? hex : undefined,
    publicKey: isKey ? hex : undefined,
    blockHash: hex !== undefined && hex.length >= 6 && hex.length <= 64 ? hex : undefined,
    // A signature has whole bytes.
    deployId:
      hex !== undefined && hex.length >= 128 && hex.length <= 160 && hex.length % 2 === 0 && !isKey ? hex : undefined,
    deployPrefix: hex !== undefined && hex.length >= 6 && hex.length < 160 && !isKey ? hex : undefined,
    uri,
    words: address === undefined && uri === undefined ? wordsOf(text) : [],
  };
}

/** @see shapeOf */
export type Shape = ReturnType<typeof shapeOf>;

/**
 * Returns the thing that a pasted link of this or another explorer names: the last part of it that names a block, a
 * deploy, an account or a URI. Any other text is itself.
 */
export function namedIn(text: string): string {
  const bare = text.trim();
  if (!/^https?:\/\//i.test(bare) || !URL.canParse(bare)) return bare;
  const { pathname, searchParams, hash } = new URL(bare);
  const parts = [...pathname.split("/").map(decoded), ...searchParams.values(), ...hash.split(/[#/?=&]/).map(decoded)];
  return parts.findLast(isName) ?? bare;
}

function isName(part: string): boolean {
  const { height, address, publicKey, blockHash, deployId, deployPrefix, uri } = shapeOf(part);
  return [height, address, publicKey, blockHash, deployId, deployPrefix, uri].some((one) => one !== undefined);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Describes the failed search in words. */
export function lookedForText(shape: Shape, hasIndex: boolean): string {
  const { height, blockHash, deployId, deployPrefix, words } = shape;
  const wanted = [
    height !== undefined && `a block at height ${height}`,
    blockHash !== undefined && "blocks with a hash that begins so",
    deployId !== undefined && "a deploy with this id",
  ];
  const inIndex = [
    deployPrefix !== undefined && deployPrefix !== deployId && "deploys with an id that begins so",
    words.length > 0 && "programs with these words",
  ];
  const said = (things: readonly (string | false)[]) => things.filter((thing) => thing !== false).join(", ");
  const looked = said(hasIndex ? [...wanted, ...inIndex] : wanted);
  const left = hasIndex ? "" : said(inIndex);
  const found = looked === "" ? "Nothing on this node." : `Nothing on this node: looked for ${looked}.`;
  return left === "" ? found : `${found} It keeps no index, so it did not look for ${left}.`;
}
