import type { TransfersPage } from "@vedette/client";
import { printWhole } from "../../text/numbers.js";

/** Shows a note if the list cannot be complete. */
export function IndexNote({ index }: { readonly index: TransfersPage["index"] | undefined }) {
  if (index === undefined || index.isComplete) return null;
  return (
    <p className="card-body muted">
      {index.blocks !== index.total &&
        `The node is still reading its blocks: ${printWhole(index.blocks)} of ${printWhole(index.total)}. `}
      {index.blocksSince > 0n &&
        `The blocks of this node begin with #${printWhole(index.blocksSince)}: older deploys are not known here. `}
      {index.transfersSince > 0n && `Transfers before #${printWhole(index.transfersSince)} are not known here.`}
    </p>
  );
}
