import { useInfiniteQuery } from "@tanstack/react-query";
import { blockStateTexts } from "@vedette/client";
import { betweenDays, fileTime, readAllRows } from "../../data/indexConditions.js";
import { type BlockRow, readBlockRows } from "../../data/readBlockRows.js";
import { FinalityBadge } from "../../part/Badge.js";
import { Card, Empty, QueryView } from "../../part/Card.js";
import { Download } from "../../part/Download.js";
import { type DaySearch, dayFields, FilterForm } from "../../part/FilterForm.js";
import { BlockHash, BlockHeight, Validator } from "../../part/Hash.js";
import { LoadMoreButton } from "../../part/LoadMoreButton.js";
import { Table } from "../../part/Table.js";
import { Time } from "../../part/Time.js";
import { csvOf } from "../../text/csv.js";
import { printWhole } from "../../text/numbers.js";

/** The filter of the shown blocks, from the page's address. */
export interface BlockSearch extends DaySearch {
  /** Greatest height. */
  readonly from?: number;
  /** Public key of the validator. */
  readonly by?: string;
  readonly state?: BlockRow["fate"];
}

const atOnce = 50;

export function BlockFilter({ of: { by, state, since, until, from } }: { readonly of: BlockSearch }) {
  return (
    <div className="filter-card">
      <Card>
        <FilterForm
          to="/explorer/blocks"
          of={{ by, state, since, until, from: from === undefined ? undefined : String(from) }}
          fields={[
            { name: "by", label: "Validator", placeholder: "Public key", isWide: true },
            {
              ...{ name: "state", label: "State" },
              choices: Object.entries(blockStateTexts).map(([value, { word }]) => [value, word] as const),
            },
            ...dayFields,
          ]}
        />
      </Card>
    </div>
  );
}

/** A filter as GraphQL's condition. */
function conditionOf({ by, state, from, ...days }: BlockSearch): object {
  return {
    _and: [
      ...(by === undefined ? [] : [{ proposer: { _eq: by } }]),
      ...(state === undefined ? [] : [{ fate: { _eq: state } }]),
      ...(from === undefined ? [] : [{ block_number: { _lte: String(from) } }]),
      ...betweenDays(days),
    ],
  };
}

/** The blocks of a filter as a file, from the index. */
export function BlockDownload({ of }: { readonly of: BlockSearch }) {
  return <Download name="blocks.csv" what="these blocks" make={(signal) => blocksCsv(conditionOf(of), signal)} />;
}

/** Blocks by validator, state and day, as the node's index has them. */
export function FilteredBlocks({ of }: { readonly of: BlockSearch }) {
  const where = conditionOf(of);
  const query = useInfiniteQuery({
    queryKey: ["blockRows", where],
    initialPageParam: 0,
    queryFn: ({ pageParam: skip, signal }) => readBlockRows({ where, skip, limit: atOnce }, signal),
    getNextPageParam: (page, pages) => (page.length < atOnce ? undefined : pages.length * atOnce),
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) > 1 ? false : 15_000),
  });
  return (
    <Card title="Matching blocks" aside={<BlockDownload of={of} />}>
      <QueryView query={query}>
        {({ pages }) => {
          const rows = pages.flat();
          if (rows.length === 0) return <Empty>No matching blocks.</Empty>;
          return (
            <>
              <Table
                head={[
                  { name: "Height", isRight: true },
                  "Block",
                  "Validator",
                  { name: "Time", isTime: true },
                  { name: "Deploys", isRight: true },
                  { name: "Cost, phlo", isRight: true },
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
    </Card>
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
      <td>{of.proposer === "" ? "genesis" : <Validator of={of.proposer} hasCopy={false} />}</td>
      <td>
        <Time at={Number(of.timestamp)} />
      </td>
      <td className="right number">{printWhole(of.deployment_count)}</td>
      <td className="right number">{printWhole(BigInt(of.phlo_cost))}</td>
      <td>
        <FinalityBadge of={of.fate} />
      </td>
    </tr>
  );
}

async function blocksCsv(where: object, signal: AbortSignal): Promise<string> {
  const rows = await readAllRows((page) => readBlockRows({ where, ...page }, signal));
  const head = ["height", "block", "validator", "time", "deploys", "failed", "phlo", "state"];
  return csvOf(
    head,
    rows.map((row) => [
      ...[row.block_number, row.block_hash, row.proposer, fileTime(row.timestamp)],
      ...[String(row.deployment_count), String(row.errored_count), row.phlo_cost, blockStateTexts[row.fate].word],
    ]),
  );
}
