import * as Type from "typebox";
import { rhoExpr } from "../rhoValues.js";
import { hexBytes, int64, named } from "../scalars.js";
import { apiStatus, deployInfo, lightBlockInfo } from "../values.js";

const base64Bytes = () => Type.String({ pattern: "^[A-Za-z0-9+/]*={0,2}$", description: "Bytes in base64." });

/** `LightBlockInfo` of f1r3node. @spec 50 §10.3 */
const f1r3nodeLightBlockInfo = named(
  "LightBlockInfo",
  Type.Object({
    ...lightBlockInfo.properties,
    extraBytes: base64Bytes(),
    headerExtraBytes: base64Bytes(),
    bodyExtraBytes: base64Bytes(),
    isFinalized: Type.Boolean(),
  }),
);

/** A block, with its deploys where they are wanted. @spec 50 §10.3 */
export const viewedBlock = named(
  "BlockInfo",
  Type.Object({ blockInfo: f1r3nodeLightBlockInfo, deploys: Type.Optional(Type.Array(deployInfo)) }),
);

/** `RhoDataResponse` of f1r3node. @spec 50 §10.4 */
export const f1r3nodeRhoData = {
  description: "Values, and the block whose state was read.",
  schema: named(
    "RhoDataResponse",
    Type.Object({
      expr: Type.Array(rhoExpr),
      block: f1r3nodeLightBlockInfo,
      cost: int64({ description: "Cost of the program in phlo; 0 if none ran." }),
    }),
  ),
};

/** `ApiStatus` of f1r3node, which is at `/status` too. @spec 50 §10 */
export const f1r3nodeStatus = named("ApiStatus", apiStatus);

/** `?view`. @spec 50 §10.3 */
export const viewOf = (usual: "full" | "summary") =>
  Type.Object({
    view: Type.Optional(
      Type.String({
        description: `\`full\` includes the deploys, \`summary\` omits them; other values mean \`${usual}\`.`,
      }),
    ),
  });

/** `?block_hash`. @spec 50 §10.5 */
export const blockHashQuery = Type.Object({
  block_hash: Type.Optional(
    Type.String({ description: "Block hash in hex, or its first digits (default: the last finalized block)." }),
  ),
});

/** Which block an answer is of. */
export const answeredAt = { blockNumber: int64(), blockHash: hexBytes(32) };
