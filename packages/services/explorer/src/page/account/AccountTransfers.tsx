import { Link } from "@tanstack/react-router";
import type { TransfersPage } from "@vedette/client";
import { node } from "../../data/node.js";
import { useSettings } from "../../data/useSettings.js";
import { useToken } from "../../data/useToken.js";
import { Badge, FinalityBadge } from "../../part/Badge.js";
import { Account, DeployId } from "../../part/Hash.js";
import { Table } from "../../part/Table.js";
import { plainText } from "../../text/hiddenCharacters.js";
import { printCoins, printWhole } from "../../text/numbers.js";
import { AccountList } from "./AccountList.js";

type Transfer = TransfersPage["transfers"][number];

const headIn = (symbol: string) => ["Block", "With", { name: `Amount, ${symbol}`, isRight: true }, "Deploy", "Outcome"];

/** Lists the transfers to and from an account, the latest first. */
export function AccountTransfers({ address }: { readonly address: string }) {
  const { symbol } = useToken();
  const settings = useSettings();
  return (
    <>
      {settings?.hasIndex === true && (
        <p className="card-body">
          <Link to="/explorer/transfers" search={{ account: address }}>
            Filter them, sort them, or download them as CSV
          </Link>
        </p>
      )}
      <AccountList
        of={["transfers", address]}
        ask={({ signal, ...place }) => node.transfers({ address, limit: 50, ...place }, { signal })}
        itemsOf={({ transfers }) => transfers}
        nothing="No transfer that this node knows."
      >
        {(transfers) => (
          <Table head={headIn(symbol)}>
            {transfers.map((one) => (
              <Row key={`${one.block.blockHash}${one.index}`} address={address} transfer={one} />
            ))}
          </Table>
        )}
      </AccountList>
    </>
  );
}

function Row({ transfer, address }: { readonly transfer: Transfer; readonly address: string }) {
  const { from, to, amount, block, deployId, kind, isSuccessful, failReason } = transfer;
  const token = useToken();
  const isOut = from === address;
  return (
    <tr>
      <td className="number">
        <Link to="/explorer/block/$hash" params={{ hash: block.blockHash }}>
          #{printWhole(block.blockNumber)}
        </Link>
      </td>
      <td className="whole">
        <span className="hash">
          <span className="muted">{isOut ? "to" : "from"}</span> <Account of={isOut ? to : from} />
        </span>
      </td>
      <td
        className="right number"
        style={isSuccessful ? { color: isOut ? undefined : "var(--good)" } : { textDecoration: "line-through" }}
      >
        {isOut ? "−" : "+"}
        {printCoins(amount, token)}
      </td>
      <td>{deployId === null ? <span className="muted">{kind}</span> : <DeployId of={deployId} hasCopy={false} />}</td>
      <td title={failReason === null ? undefined : plainText(failReason)}>
        {isSuccessful ? <FinalityBadge of={block.status} /> : <Badge tone="bad">Failed</Badge>}
      </td>
    </tr>
  );
}
