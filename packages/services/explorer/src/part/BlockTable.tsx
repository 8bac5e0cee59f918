import type { BlockSummary } from "../data/BlockSummary.js";
import { useChain } from "../data/useChain.js";
import { useFinality } from "../data/useFinality.js";
import { printWhole } from "../text/numbers.js";
import { FinalityBadge } from "./Badge.js";
import { BlockHash, BlockHeight, Validator } from "./Hash.js";
import { type ColumnSort, Table } from "./Table.js";
import { Time } from "./Time.js";

interface BlockTableProps {
  readonly blocks: readonly BlockSummary[];
  /** How columns sort the list. */
  readonly sorts?: { readonly height: ColumnSort; readonly deploys: ColumnSort } | undefined;
}

/** Blocks of the chain, as the node itself lists them. */
export function BlockTable({ blocks, sorts }: BlockTableProps) {
  const { arrived } = useChain();
  const finalityOf = useFinality(blocks);
  return (
    <Table
      head={[
        { name: "Height", isRight: true, ...sorts?.height },
        "Block",
        "Validator",
        { name: "Time", isTime: true },
        { name: "Deploys", isRight: true, ...sorts?.deploys },
        "State",
      ]}
    >
      {blocks.map((block) => (
        <tr key={block.hash} className={arrived.has(block.hash) ? "new" : undefined}>
          <td className="right">
            <BlockHeight hash={block.hash} number={BigInt(block.number)} />
          </td>
          <td>
            <BlockHash of={block.hash} />
          </td>
          <td>{block.sender === "" ? "genesis" : <Validator of={block.sender} hasCopy={false} />}</td>
          <td>
            <Time at={block.timestamp} />
          </td>
          <td className="right number">{printWhole(block.deployCount)}</td>
          <td>
            <FinalityBadge of={finalityOf(block)} />
          </td>
        </tr>
      ))}
    </Table>
  );
}
