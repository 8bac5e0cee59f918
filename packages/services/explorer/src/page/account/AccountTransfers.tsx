import { Link } from "@tanstack/react-router";
import type { TransfersPage } from "@vedette/client";
import { node } from "../../data/node.js";
import { useDeployBriefs } from "../../data/useDeployBriefs.js";
import { useSettings } from "../../data/useSettings.js";
import { useToken } from "../../data/useToken.js";
import { Badge, FinalityBadge } from "../../part/Badge.js";
import { Account, DeployId } from "../../part/Hash.js";
import { Table } from "../../part/Table.js";
import { Time } from "../../part/Time.js";
import { plainText } from "../../text/hiddenCharacters.js";
import { printCoins, printWhole } from "../../text/numbers.js";
import { AccountList } from "./AccountList.js";

type Transfer = TransfersPage["transfers"][number];

const headIn = (symbol: string) => [
  ...["Block", { name: "Signed", isTime: true }, "With"],
  ...[{ name: `Amount, ${symbol}`, isRight: true }, "Deploy", "Outcome"],
];

/** Lists the transfers to and from an account, the latest first. */
export function AccountTransfers({ address }: { readonly address: string }) {
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
        {(transfers) => <Transfers of={transfers} address={address} />}
      </AccountList>
    </>
  );
}

function Transfers({ of, address }: { readonly of: readonly Transfer[]; readonly address: string }) {
  const { symbol } = useToken();
  const briefOf = useDeployBriefs([...new Set(of.flatMap(({ deployId }) => deployId ?? []))]);
  return (
    <Table head={headIn(symbol)}>
      {of.map((one) => (
        <Row
          key={`${one.block.blockHash}${one.index}`}
          {...{ address, transfer: one, signed: one.deployId === null ? null : briefOf(one.deployId)?.timestamp }}
        />
      ))}
    </Table>
  );
}

interface RowProps {
  readonly transfer: Transfer;
  readonly address: string;
  /** Milliseconds since 1970; `null` if no deploy made it. */
  readonly signed: bigint | null | undefined;
}

function Row({ transfer, address, signed }: RowProps) {
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
      <td>
        {signed === undefined || signed === null ? (
          <span className="muted">{signed === null ? "–" : "…"}</span>
        ) : (
          <Time at={Number(signed)} />
        )}
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
