import { toHex } from "@vedette/crypto";
import type { Event } from "@vedette/protocol";
import { urnMap } from "@vedette/rholang";
import { channelHash, encodePar, type Par } from "@vedette/terms";

/** The registry's names, bare, and the place of the name in a call that the answer is sent on. */
const ways = [
  { kind: "arbitrary", urn: "rho:registry:insertArbitrary", answerAt: 1 },
  { kind: "signed", urn: "rho:registry:insertSigned:secp256k1", answerAt: 3 },
] as const;
/** Ways by the name of each, as {@link nameKey} has it. */
export const byChannel = new Map(
  ways.map((way) => [nameKey(urnMap.get(way.urn)!), { ...way, hash: toHex(channelHash(bare(urnMap.get(way.urn)!))) }]),
);
const hashes = new Set([...byChannel.values()].map(({ hash }) => hash));

/** Whether a deploy may have entered anything into the registry: its log says, so that most blocks need no report. */
export function callsRegistry(log: readonly Event[]): boolean {
  return log.some((event) => event.kind === "produce" && hashes.has(toHex(event.channelsHash)));
}

/** The same for a name and what lets one send to it alone. */
export function nameKey(name: Par): string {
  const inner = bare(name);
  const [unforgeable] = inner.unforgeables;
  const isPlain = unforgeable?.kind === "GPrivate" && inner.unforgeables.length === 1 && inner.exprs.length === 0;
  return isPlain ? toHex(unforgeable.id) : `:${toHex(encodePar(inner))}`;
}

function bare(name: Par): Par {
  return name.bundles.length === 1 ? name.bundles[0]!.body : name;
}
