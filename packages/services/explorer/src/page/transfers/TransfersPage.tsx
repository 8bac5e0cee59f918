import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useSettings } from "../../data/useSettings.js";
import { useToken } from "../../data/useToken.js";
import { Card, Empty, Loading, Notice, PageHead, QueryView } from "../../part/Card.js";
import { Download } from "../../part/Download.js";
import { dayFields, FilterForm } from "../../part/FilterForm.js";
import { LoadMoreButton } from "../../part/LoadMoreButton.js";
import { NoIndex } from "../../part/NoIndex.js";
import { readTransferRows } from "./readTransferRows.js";
import { TransferTable } from "./TransferTable.js";
import { type TransferSearch, transferFilter } from "./transferFilter.js";
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
            <Card>{settings === undefined ? <Loading lines={8} /> : <Transfers of={search} />}</Card>
          </>
        )}
      </div>
    </>
  );
}

function Filter({ of }: { readonly of: TransferSearch }) {
  const { symbol } = useToken();
  return (
    <Card>
      <FilterForm
        to="/explorer/transfers"
        of={{ ...of }}
        fields={[
          { name: "account", label: "Account", placeholder: "Address or public key", isWide: true },
          { name: "least", label: `At least, ${symbol}`, kind: "amount" },
          { name: "most", label: `At most, ${symbol}`, kind: "amount" },
          ...dayFields,
        ]}
      />
    </Card>
  );
}

const atOnce = 50;

function Transfers({ of: search }: { readonly of: TransferSearch }) {
  const token = useToken();
  const filter = transferFilter(search, token);
  const { sort, ...unsorted } = search;
  const by = sort ?? "newest";
  const where = "where" in filter ? filter.where : {};
  const query = useInfiniteQuery({
    queryKey: ["transferRows", where, by],
    initialPageParam: 0,
    queryFn: ({ pageParam: skip, signal }) => readTransferRows({ where, by, skip, limit: atOnce }, signal),
    getNextPageParam: (page, pages) => (page.length < atOnce ? undefined : pages.length * atOnce),
    enabled: "where" in filter,
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) > 1 ? false : 10_000),
  });
  if ("fault" in filter)
    return (
      <div className="card-body">
        <Notice tone="bad">{filter.fault}</Notice>
      </div>
    );
  return (
    <>
      <header>
        <h2>{by === "amount" ? "The largest first" : "The newest first"}</h2>
        <div className="aside buttons">
          <Link
            className="button small"
            to="/explorer/transfers"
            search={by === "amount" ? unsorted : { ...search, sort: "amount" }}
          >
            {by === "amount" ? "By time" : "By amount"}
          </Link>
          <Download
            name="transfers.csv"
            what="these transfers"
            make={(signal) => transfersCsv({ where, by }, token, signal)}
          />
        </div>
      </header>
      <QueryView query={query}>
        {({ pages }) => {
          const rows = pages.flat();
          if (rows.length === 0) return <Empty>No matching transfers.</Empty>;
          return (
            <>
              <TransferTable of={rows} />
              <LoadMoreButton query={query} />
            </>
          );
        }}
      </QueryView>
    </>
  );
}
