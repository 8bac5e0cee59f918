import { Link } from "@tanstack/react-router";
import { useToken } from "../../data/useToken.js";
import { Badge, DeployStatusBadge } from "../../part/Badge.js";
import { Account, DeployId } from "../../part/Hash.js";
import { type ColumnSort, Table } from "../../part/Table.js";
import { Time } from "../../part/Time.js";
import { plainText } from "../../text/hiddenCharacters.js";
import { printCoins, printWhole } from "../../text/numbers.js";
import type { TransferRow } from "./readTransferRows.js";

interface TransferTableProps {
  readonly of: readonly TransferRow[];
  /** How columns sort the list. */
  readonly sorts: { readonly block: ColumnSort; readonly amount: ColumnSort };
}

/** Transfers of several accounts. */
export function TransferTable({ of, sorts }: TransferTableProps) {
  const { symbol } = useToken();
  return (
    <Table
      head={[
        { name: "Block", ...sorts.block },
        { name: "Signed", isTime: true },
        "From",
        "To",
        { name: `Amount, ${symbol}`, isRight: true, ...sorts.amount },
        "Deploy",
        "State",
      ]}
    >
      {of.map((row) => (
        <Row key={row.id} of={row} />
      ))}
    </Table>
  );
}

function Row({ of: row }: { readonly of: TransferRow }) {
  const token = useToken();
  return (
    <tr>
      <td className="number">
        <Link to="/explorer/block/$hash" params={{ hash: row.block_hash }}>
          #{printWhole(BigInt(row.block_number))}
        </Link>
      </td>
      <td>
        <Time at={Number(row.timestamp)} />
      </td>
      <td>
        <Account of={row.from_address} hasCopy={false} />
      </td>
      <td>
        <Account of={row.to_address} hasCopy={false} />
      </td>
      <td className="right number">{printCoins(BigInt(row.amount_dust), token)}</td>
      <td>
        <DeployId of={row.deploy_id} hasCopy={false} />
      </td>
      <td title={row.fail_reason === null ? undefined : plainText(row.fail_reason)}>
        {row.status === "failed" ? <Badge tone="bad">Failed</Badge> : <DeployStatusBadge of={row.fate} />}
      </td>
    </tr>
  );
}
