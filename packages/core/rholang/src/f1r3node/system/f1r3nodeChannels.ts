import { fromHex } from "@vedette/crypto";
import { BindPattern, Bundle, EVar, FreeVar, GPrivate, Par, SystemContinuation } from "@vedette/terms";
import type { Space } from "@vedette/tuplespace";
import { type FixedChannel, fixedChannels } from "../../system/channels.js";
import { parOfName } from "../parOf.js";
import { renamedChannels } from "./renamedChannels.js";

/** All fixed channels of f1r3node networks: those of f1r3node, some by other names, and more. */
const f1r3nodeFixedChannels: readonly FixedChannel[] = [
  ...fixedChannels.map((channel) => ({ ...channel, urn: renamedChannels.get(channel.urn) ?? channel.urn })),
  { urn: "rho:registry:ops:1.0.0", byte: 23, bodyRef: 17, arity: 3 },
  { urn: "rho:internal:registry_lookup", byte: 37, bodyRef: 30, arity: 2 },
  { urn: "rho:registry:v1:internal", byte: 19, bodyRef: undefined, arity: 4 },
  { urn: "rho:registry:1.0.0", byte: 24, bodyRef: undefined, arity: 2 },
];

/** The processes that `new` finds by a URI there, with the number of values in a message to each. @spec 61 §8 */
export const f1r3nodeSystemChannels: ReadonlyMap<string, number> = new Map(
  f1r3nodeFixedChannels.map(({ urn, arity }) => [urn, arity]),
);

/** The fixed name with this byte, bare. @spec 61 §8 */
export function f1r3nodeFixedChannel(byte: number): Par {
  return parOfName(new GPrivate(Uint8Array.of(byte)));
}

/** The first name in the tuple of channels that are merged by "or". @spec 61 §12.2 */
export const bitmaskTag = parOfName(
  new GPrivate(fromHex("9902f19c7886266265b763d2d9c648e62aa6c31fc25c685be3c8416c8b86e52a")),
);

/** The values that `new x(urn)` binds. @spec 61 §8 */
export const f1r3nodeUrns: ReadonlyMap<string, Par> = new Map([
  ...f1r3nodeFixedChannels.map(({ urn, byte }): [string, Par] => [
    urn,
    Par.of({ bundles: [new Bundle(f1r3nodeFixedChannel(byte), true, false)] }),
  ]),
  ["rho:system:bitmaskMergeableTag", bitmaskTag],
]);

/** Values of each built-in process: made once, as a space knows them by their identity. */
const installed = f1r3nodeFixedChannels.flatMap(({ byte, bodyRef, arity }) =>
  bodyRef === undefined
    ? []
    : [
        {
          channels: [f1r3nodeFixedChannel(byte)],
          patterns: [new BindPattern(freeVariables(arity), undefined, arity)],
          continuation: new SystemContinuation(BigInt(bodyRef)),
        },
      ],
);

function freeVariables(count: number): Par[] {
  return Array.from({ length: count }, (_, level) =>
    Par.of({ exprs: [new EVar(new FreeVar(level))], connectiveUsed: true }),
  );
}

/** Attaches the built-in processes to their fixed channels. @spec 21 §8.2, 61 §8 */
export function installF1r3nodeProcesses(space: Pick<Space, "install">): void {
  for (const { channels, patterns, continuation } of installed) space.install(channels, patterns, continuation);
}
