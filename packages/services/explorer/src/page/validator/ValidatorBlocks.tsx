import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { type BlockRow, readBlockRows } from "../../data/readBlockRows.js";
import { FinalityBadge } from "../../part/Badge.js";
import { Empty, QueryView } from "../../part/Card.js";
import { BlockHash, BlockHeight } from "../../part/Hash.js";
import { LoadMoreButton } from "../../part/LoadMoreButton.js";
import { Table } from "../../part/Table.js";
import { Time } from "../../part/Time.js";
import { printWhole } from "../../text/numbers.js";

const atOnce = 50;
const route = getRouteApi("/explorer/validator/$key");

/** Every block of a validator, the newest first, also those that were orphaned. */
export function ValidatorBlocks({ of }: { readonly of: string }) {
  const { blocks } = route.useSearch();
  const only = blocks === "orphaned" ? { fate: { _eq: "forkedAway" } } : {};
  const query = useInfiniteQuery({
    queryKey: ["blocksOf", of, blocks],
    initialPageParam: 0,
    queryFn: ({ pageParam: skip, signal }) =>
      readBlockRows({ where: { proposer: { _eq: of }, ...only }, skip, limit: atOnce }, signal),
    getNextPageParam: (page, pages) => (page.length < atOnce ? undefined : pages.length * atOnce),
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) > 1 ? false : 15_000),
  });
  return (
    <>
      <div className="card-body buttons">
        <Link
          className="button small"
          to="/explorer/validator/$key"
          params={{ key: of }}
          search={blocks === "orphaned" ? {} : { blocks: "orphaned" }}
        >
          {blocks === "orphaned" ? "All blocks" : "Only orphaned"}
        </Link>
        <Link className="button small" to="/explorer/blocks" search={{ by: of }}>
          Filter and CSV
        </Link>
      </div>
      <QueryView query={query}>
        {({ pages }) => {
          const rows = pages.flat();
          if (rows.length === 0) return <Empty>No block of this kind.</Empty>;
          return (
            <>
              <Table
                head={[
                  { name: "Height", isRight: true },
                  "Block",
                  { name: "Time", isTime: true },
                  { name: "Deploys", isRight: true },
                  { name: "Failed", isRight: true },
                  "State",
                ]}
              >
                {rows.map((row) => (
                  <Row key={row.block_hash} of={row} />
                ))}
              </Table>
              <LoadMoreButton query={query} />
            </>
          );
        }}
      </QueryView>
    </>
  );
}

function Row({ of }: { readonly of: BlockRow }) {
  return (
    <tr>
      <td className="right">
        <BlockHeight hash={of.block_hash} number={BigInt(of.block_number)} />
      </td>
      <td>
        <BlockHash of={of.block_hash} />
      </td>
      <td>
        <Time at={Number(of.timestamp)} />
      </td>
      <td className="right number">{printWhole(of.deployment_count)}</td>
      <td className="right number">{printWhole(of.errored_count)}</td>
      <td>
        <FinalityBadge of={of.fate} />
      </td>
    </tr>
  );
}
