import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { node } from "../../data/node.js";
import { Badge, FinalityBadge } from "../../part/Badge.js";
import { Asked } from "../../part/Card.js";
import { DeployId } from "../../part/Hash.js";
import { More } from "../../part/More.js";
import { Time } from "../../part/Time.js";
import { printWhole } from "../../text/numbers.js";
import { IndexNote } from "./IndexNote.js";

/** What an account has signed, the latest first. */
export function AccountDeploys({ address }: { readonly address: string }) {
  const query = useInfiniteQuery({
    queryKey: ["deploys", address],
    initialPageParam: "",
    queryFn: ({ pageParam, signal }) =>
      node.deploys({ address, limit: 50, ...(pageParam !== "" && { after: pageParam }) }, { signal }),
    getNextPageParam: ({ next }) => next ?? undefined,
    refetchInterval: 15_000,
  });
  return (
    <Asked query={query}>
      {({ pages }) => {
        const deploys = pages.flatMap((page) => page.deploys);
        if (deploys.length === 0) return <p className="empty">No deploy that this node knows.</p>;
        return (
          <>
            <IndexNote index={pages[0]?.index} />
            <div className="table-wrap">
              <table>
                <thead>
                  <tr>
                    <th>Deploy</th>
                    <th>Signed</th>
                    <th>Block</th>
                    <th className="right">Cost, phlo</th>
                    <th>Outcome</th>
                  </tr>
                </thead>
                <tbody>
                  {deploys.map(({ deployId, timestamp, cost, errored, systemDeployError, block }) => (
                    <tr key={deployId + block.blockHash}>
                      <td>
                        <DeployId of={deployId} />
                      </td>
                      <td>
                        <Time at={Number(timestamp)} />
                      </td>
                      <td className="number">
                        <Link to="/explorer/block/$hash" params={{ hash: block.blockHash }}>
                          #{printWhole(block.blockNumber)}
                        </Link>
                      </td>
                      <td className="right number">{printWhole(cost)}</td>
                      <td>
                        {errored || systemDeployError !== "" ? (
                          <Badge tone="bad">Failed</Badge>
                        ) : (
                          <FinalityBadge of={block.status} />
                        )}
                      </td>
                    </tr>
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
