import { blockStateTexts } from "@vedette/client";
import { betweenDays, fileTime, readAllRows } from "../../data/indexConditions.js";
import { type BlockOrder, type BlockRow, readBlockRows } from "../../data/readBlockRows.js";
import { fromHeight, type ListStart } from "../../data/useIndexList.js";
import { FinalityBadge } from "../../part/Badge.js";
import { Card } from "../../part/Card.js";
import { Download } from "../../part/Download.js";
import { type DaySearch, dayFields, FilterForm } from "../../part/FilterForm.js";
import { BlockHash, BlockHeight, Validator } from "../../part/Hash.js";
import { IndexList } from "../../part/IndexList.js";
import { columnSort, Table } from "../../part/Table.js";
import { Time } from "../../part/Time.js";
import { csvOf } from "../../text/csv.js";
import { printWhole } from "../../text/numbers.js";

/** The filter of the shown blocks, and their order, from the page's address. */
export interface BlockSearch extends DaySearch, ListStart {
  /** Public key of the validator. */
  readonly by?: string;
  readonly state?: BlockRow["fate"];
  readonly sort?: Exclude<BlockOrder, "newest">;
}

export function BlockFilter({ of: { page: _page, from, ...filter } }: { readonly of: BlockSearch }) {
  return (
    <div className="filter-card">
      <Card>
        <FilterForm
          to="/explorer/blocks"
          of={{ ...filter, from: from === undefined ? undefined : String(from) }}
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
function conditionOf({ by, state, from, sort, ...days }: BlockSearch): object {
  return {
    _and: [
      ...(by === undefined ? [] : [{ proposer: { _eq: by } }]),
      ...(state === undefined ? [] : [{ fate: { _eq: state } }]),
      ...fromHeight(from, sort === "oldest"),
      ...betweenDays(days),
    ],
  };
}

/** The blocks of a filter as a file, from the index. */
export function BlockDownload({ of }: { readonly of: BlockSearch }) {
  return <Download name="blocks.csv" what="these blocks" make={(signal) => blocksCsv(of, signal)} />;
}

/** How the heads of columns sort blocks. */
export function blockSorts(search: BlockSearch) {
  const by = (...orders: readonly BlockSearch["sort"][]) => columnSort("/explorer/blocks", search, orders);
  return { height: by(undefined, "oldest"), deploys: by("deploys"), cost: by("cost") };
}

/** Blocks by validator, state and day, as the node's index has them. */
export function FilteredBlocks({ of }: { readonly of: BlockSearch }) {
  const { from: _from, page: _page, sort = "newest", ...filter } = of;
  const sorts = blockSorts(of);
  return (
    <IndexList<BlockRow>
      {...{ to: "/explorer/blocks", search: of, of: ["blocks", filter, sort] }}
      title={titleOf(of)}
      isByHeight={sort === "newest" || sort === "oldest"}
      empty="No matching blocks."
      aside={<BlockDownload of={of} />}
      read={({ from, skip, limit }, signal) => {
        const { from: _first, ...rest } = of;
        const where = conditionOf({ ...rest, ...(from !== undefined && { from }) });
        return readBlockRows({ where, sort, skip, limit }, signal);
      }}
    >
      {(rows) => (
        <Table
          head={[
            { name: "Height", isRight: true, ...sorts.height },
            "Block",
            "Validator",
            { name: "Time", isTime: true },
            { name: "Deploys", isRight: true, ...sorts.deploys },
            { name: "Cost, phlo", isRight: true, ...sorts.cost },
            "State",
          ]}
        >
          {rows.map((row) => (
            <Row key={row.block_hash} of={row} />
          ))}
        </Table>
      )}
    </IndexList>
  );
}

function titleOf(search: BlockSearch): string {
  const { from, page: _page, sort = "newest", ...filter } = search;
  const what = Object.keys(filter).length > 0 ? "Matching blocks" : "Blocks";
  const heights = from === undefined ? "" : ` ${sort === "oldest" ? "from" : "up to"} #${printWhole(from)}`;
  const order = {
    ...{ newest: "the newest", oldest: "the oldest" },
    ...{ deploys: "those with the most deploys", cost: "the most expensive" },
  }[sort];
  return `${what}${heights}, ${order} first`;
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

async function blocksCsv({ page: _page, ...of }: BlockSearch, signal: AbortSignal): Promise<string> {
  const question = { where: conditionOf(of), ...(of.sort && { sort: of.sort }) };
  const rows = await readAllRows((page) => readBlockRows({ ...question, ...page }, signal));
  const head = ["height", "block", "validator", "time", "deploys", "failed", "phlo", "state"];
  return csvOf(
    head,
    rows.map((row) => [
      ...[row.block_number, row.block_hash, row.proposer, fileTime(row.timestamp)],
      ...[String(row.deployment_count), String(row.errored_count), row.phlo_cost, blockStateTexts[row.fate].word],
    ]),
  );
}
