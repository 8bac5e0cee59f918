import type { ConnectRouter } from "@connectrpc/connect";
import { DeployNotes } from "@vedette/api/grpc";
import { fromHexPadded } from "@vedette/crypto";
import { ApiError, type ApiQueries } from "@vedette/queries";
import { namesOfDeploy } from "@vedette/queries/deployEffects";
import { answering, type OnFailure } from "./answer.js";
import { callClient } from "./callClient.js";

/** `vedette.v1.DeployNotes`, which nodes of rnode do not have. @spec 50 §3.4 */
export function registerDeployNotes(
  router: ConnectRouter,
  { blocks, notes }: Pick<ApiQueries, "blocks" | "notes">,
  onFailure: OnFailure,
): void {
  router.service(DeployNotes, {
    deployNote: ({ deployId, blockHash }, context) =>
      answering(onFailure, async () => {
        const hash = /^[0-9a-fA-F]{64}$/.test(blockHash) ? fromHexPadded(blockHash) : undefined;
        const block = hash === undefined ? undefined : blocks.find(hash);
        if (block === undefined) throw new ApiError(`Block ${blockHash.slice(0, 64)} not found`);
        const note = await notes.find(block, deployId, context.values.get(callClient));
        const faults = (note?.faults ?? []).map(({ line = 0, column = 0, ...fault }) => ({ ...fault, line, column }));
        const prints = [...(note?.prints ?? [])];
        const names = namesOfDeploy(blocks.read(block).block, deployId);
        const value = {
          ...{ isKnown: note !== undefined, faults, prints, isCut: note?.isCut === true },
          ...{ names: names ?? [], areNamesKnown: names !== undefined },
        };
        return { case: "note" as const, value };
      }),
  });
}
