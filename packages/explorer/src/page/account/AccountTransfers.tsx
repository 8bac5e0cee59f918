import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { TransfersPage } from "@vedette/client";
import { node } from "../../data/node.js";
import { Badge, FinalityBadge } from "../../part/Badge.js";
import { Asked } from "../../part/Card.js";
import { Account, DeployId } from "../../part/Hash.js";
import { More } from "../../part/More.js";
import { printCoins, printWhole } from "../../text/numbers.js";
import { plainText } from "../../text/strange.js";
import { IndexNote } from "./IndexNote.js";

type Transfer = TransfersPage["transfers"][number];

/** What came to and went from an account, the latest first. */
export function AccountTransfers({ address }: { readonly address: string }) {
  const query = useInfiniteQuery({
    queryKey: ["transfers", address],
    initialPageParam: "",
    queryFn: ({ pageParam, signal }) =>
      node.transfers({ address, limit: 50, ...(pageParam !== "" && { after: pageParam }) }, { signal }),
    getNextPageParam: ({ next }) => next ?? undefined,
    refetchInterval: 15_000,
  });
  return (
    <Asked query={query}>
      {({ pages }) => {
        const transfers = pages.flatMap((page) => page.transfers);
        if (transfers.length === 0) return <p className="empty">No transfer that this node knows.</p>;
        return (
          <>
            <IndexNote index={pages[0]?.index} />
            <div className="table-wrap">
              <table>
                <thead>
                  <tr>
                    <th>Block</th>
                    <th>With</th>
                    <th className="right">Amount, coins</th>
                    <th>By</th>
                    <th>Outcome</th>
                  </tr>
                </thead>
                <tbody>
                  {transfers.map((transfer) => (
                    <Row key={`${transfer.block.blockHash}${transfer.index}`} address={address} transfer={transfer} />
                  ))}
                </tbody>
              </table>
            </div>
            <More query={query} />
          </>
        );
      }}
    </Asked>
  );
}

function Row({ transfer, address }: { readonly transfer: Transfer; readonly address: string }) {
  const { from, to, amount, block, deployId, kind, isSuccessful, failReason } = transfer;
  const isOut = from === address;
  return (
    <tr>
      <td className="number">
        <Link to="/explorer/block/$hash" params={{ hash: block.blockHash }}>
          #{printWhole(block.blockNumber)}
        </Link>
      </td>
      <td>
        <span className="hash">
          <span className="muted">{isOut ? "to" : "from"}</span> <Account of={isOut ? to : from} />
        </span>
      </td>
      <td
        className="right number"
        style={isSuccessful ? { color: isOut ? undefined : "var(--good)" } : { textDecoration: "line-through" }}
      >
        {isOut ? "−" : "+"}
        {printCoins(amount)}
      </td>
      <td>{deployId === null ? <span className="muted">{kind}</span> : <DeployId of={deployId} hasCopy={false} />}</td>
      <td title={failReason === null ? undefined : plainText(failReason)}>
        {isSuccessful ? <FinalityBadge of={block.status} /> : <Badge tone="bad">Failed</Badge>}
      </td>
    </tr>
  );
}
