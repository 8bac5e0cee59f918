import { getRouteApi } from "@tanstack/react-router";
import { deployStateTexts } from "@vedette/client";
import { fromHeight } from "../../data/useIndexList.js";
import { useSettings } from "../../data/useSettings.js";
import { useToken } from "../../data/useToken.js";
import { Card, Loading, PageHead } from "../../part/Card.js";
import { Download } from "../../part/Download.js";
import { dayFields, FilterForm } from "../../part/FilterForm.js";
import { IndexList } from "../../part/IndexList.js";
import { NoIndex } from "../../part/NoIndex.js";
import { columnSort } from "../../part/Table.js";
import { readTransferRows, type TransferRow } from "./readTransferRows.js";
import { TransferTable } from "./TransferTable.js";
import { type TransferSearch, transferFilter, transferStates } from "./transferFilter.js";
import { transfersCsv } from "./transfersCsv.js";

const route = getRouteApi("/explorer/transfers");

/** All transfers, by account and by amount, as the node's index has them. */
export function TransfersPage() {
  const search = route.useSearch();
  const settings = useSettings();
  return (
    <>
      <PageHead title="Transfers" about="Transfers between accounts, also those that contracts made, without fees." />
      <div className="stack">
        {settings?.hasIndex === false ? (
          <Card>
            <NoIndex without="The transfers of one account are listed on its page: search for its address or key." />
          </Card>
        ) : (
          <>
            <Filter of={search} />
            {settings === undefined ? <Loading lines={8} /> : <Transfers of={search} />}
          </>
        )}
      </div>
    </>
  );
}

function Filter({ of: { from, page: _page, ...of } }: { readonly of: TransferSearch }) {
  const { symbol } = useToken();
  return (
    <Card>
      <FilterForm
        to="/explorer/transfers"
        of={{ ...of, from: from === undefined ? undefined : String(from) }}
        fields={[
          { name: "account", label: "Account", placeholder: "Address or public key", isWide: true },
          { name: "least", label: `At least, ${symbol}`, kind: "amount" },
          { name: "most", label: `At most, ${symbol}`, kind: "amount" },
          {
            ...{ name: "state", label: "State" },
            choices: transferStates.map((value) => [value, deployStateTexts[value].word] as const),
          },
          ...dayFields,
        ]}
      />
    </Card>
  );
}

function Transfers({ of: search }: { readonly of: TransferSearch }) {
  const token = useToken();
  const { sort, from: _from, page: _page, ...filter } = search;
  const found = transferFilter(filter, token);
  const by = sort ?? "newest";
  const parts = "parts" in found ? found.parts : [];
  const where = (start: number | undefined) => ({ _and: [...parts, ...fromHeight(start, false)] });
  return (
    <IndexList<TransferRow>
      {...{ to: "/explorer/transfers", search, of: ["transfers", parts, by] }}
      title={by === "amount" ? "The largest first" : "The newest first"}
      isByHeight={by === "newest"}
      fault={"fault" in found ? found.fault : undefined}
      empty="No matching transfers."
      aside={
        <Download
          name="transfers.csv"
          what="these transfers"
          make={(signal) => transfersCsv({ where: where(search.from), by }, token, signal)}
        />
      }
      read={({ from, skip, limit }, signal) => readTransferRows({ where: where(from), by, skip, limit }, signal)}
    >
      {(rows) => (
        <TransferTable
          of={rows}
          sorts={{
            block: columnSort("/explorer/transfers", search, [undefined]),
            amount: columnSort("/explorer/transfers", search, ["amount"]),
          }}
        />
      )}
    </IndexList>
  );
}
