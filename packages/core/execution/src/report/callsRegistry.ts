import { toHex } from "@vedette/crypto";
import type { Event } from "@vedette/protocol";
import { urnMap } from "@vedette/rholang";
import { channelHash, type Par, rnodeTerms, type TermCodec } from "@vedette/terms";

/**
 * The registry's channels, and the argument of a call that is the reply channel. f1r3node networks use the same names
 * with other hashes. These are constants, so that this file does not need the terms of f1r3node.
 */
const ways = [
  {
    kind: "arbitrary",
    urn: "rho:registry:insertArbitrary",
    answerAt: 1,
    f1r3nodeHash: "7b6464f9596c78ad1bf04bdda8f36857e984f9b95b34ba2962e13ddc5a69b8d6",
  },
  {
    kind: "signed",
    urn: "rho:registry:insertSigned:secp256k1",
    answerAt: 3,
    f1r3nodeHash: "d0668eefa7eb62022c8a726f4fe33c9d791469b22620181c8c77d5a3324a5958",
  },
] as const;
/** Ways by the name of each, as {@link nameKey} has it. */
export const byChannel = new Map(
  ways.map((way) => [
    nameKey(urnMap.get(way.urn)!, rnodeTerms),
    { ...way, hash: toHex(channelHash(bare(urnMap.get(way.urn)!))) },
  ]),
);
const hashes = new Set([...byChannel.values()].flatMap(({ hash, f1r3nodeHash }) => [hash, f1r3nodeHash]));

/**
 * Whether a deploy may have entered anything into the registry: its log shows that, so that most blocks need no report.
 */
export function callsRegistry(log: readonly Event[]): boolean {
  return log.some((event) => event.kind === "produce" && hashes.has(toHex(event.channelsHash)));
}

/** The same for a name and what lets one send to it alone. */
export function nameKey(name: Par, { encodePar }: Pick<TermCodec, "encodePar">): string {
  const inner = bare(name);
  const [unforgeable] = inner.unforgeables;
  const isPlain = unforgeable?.kind === "GPrivate" && inner.unforgeables.length === 1 && inner.exprs.length === 0;
  return isPlain ? toHex(unforgeable.id) : `:${toHex(encodePar(inner))}`;
}

function bare(name: Par): Par {
  return name.bundles.length === 1 ? name.bundles[0]!.body : name;
}
