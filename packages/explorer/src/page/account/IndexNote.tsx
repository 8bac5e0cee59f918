import type { TransfersPage } from "@vedette/client";
import { printWhole } from "../../text/numbers.js";

/** Says so where the list cannot be whole. */
export function IndexNote({ index }: { readonly index: TransfersPage["index"] | undefined }) {
  if (index === undefined || (index.isComplete && index.transfersSince <= 0n)) return null;
  return (
    <p className="card-body muted">
      {!index.isComplete &&
        `The node is still reading its blocks: ${printWhole(index.blocks)} of ${printWhole(index.total)}. `}
      {index.transfersSince > 0n && `Transfers before #${printWhole(index.transfersSince)} are not known here.`}
    </p>
  );
}
