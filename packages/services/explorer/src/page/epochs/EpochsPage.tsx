import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useChain } from "../../data/useChain.js";
import { useSettings } from "../../data/useSettings.js";
import { Card, Empty, Loading, PageHead, QueryView } from "../../part/Card.js";
import { Download } from "../../part/Download.js";
import { LoadMoreButton } from "../../part/LoadMoreButton.js";
import { NoIndex } from "../../part/NoIndex.js";
import { ShareBar } from "../../part/ShareBar.js";
import { Table } from "../../part/Table.js";
import { Time } from "../../part/Time.js";
import { csvOf } from "../../text/csv.js";
import { printWhole } from "../../text/numbers.js";
import { type Epoch, readEpochs } from "./readEpochs.js";

const route = getRouteApi("/explorer/epochs");
const atOnce = 50;
const maxInFile = 5_000;

/** Epochs: between them the validators change. */
export function EpochsPage() {
  const { from } = route.useSearch();
  const settings = useSettings();
  return (
    <>
      <PageHead
        title="Epochs"
        about={
          from === undefined
            ? "Newest first. The set of validators changes at the end of an epoch."
            : `From epoch ${printWhole(from)} downward.`
        }
      >
        {from !== undefined && (
          <Link className="button small" to="/explorer/epochs" search={{}}>
            Newest
          </Link>
        )}
      </PageHead>
      <Card>
        {settings === undefined && <Loading lines={8} />}
        {settings?.hasIndex === false && <NoIndex without="The epochs of the chain come from it." />}
        {settings?.hasIndex === true && <Epochs key={from ?? "newest"} from={from} />}
      </Card>
    </>
  );
}

function Epochs({ from }: { readonly from: number | undefined }) {
  const { lastFinalized } = useChain();
  const query = useInfiniteQuery({
    queryKey: ["epochs", from],
    initialPageParam: from,
    queryFn: ({ pageParam, signal }) => readEpochs(pageParam, atOnce, signal),
    getNextPageParam: (page) => {
      const least = page.at(-1)?.number ?? 0;
      return page.length < atOnce || least === 0 ? undefined : least - 1;
    },
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) > 1 ? false : 15_000),
  });
  const right = (name: string) => ({ name, isRight: true });
  return (
    <QueryView query={query}>
      {({ pages }) => {
        const rows = pages.flat();
        if (rows.length === 0) return <Empty>No epochs in the index yet.</Empty>;
        return (
          <>
            <header>
              <h2>Epochs</h2>
              <div className="aside">
                <Download
                  name="epochs.csv"
                  what="the epochs"
                  make={async (signal) => epochsCsv(await readEpochs(from, maxInFile, signal))}
                />
              </div>
            </header>
            <Table
              head={[
                right("Epoch"),
                right("First height"),
                right("Last height"),
                { name: "Began", isTime: true },
                "Progress",
                right("Validators"),
                right("Quarantine, blocks"),
              ]}
            >
              {rows.map((epoch) => (
                <Row key={epoch.number} of={epoch} height={lastFinalized?.number} />
              ))}
            </Table>
            <LoadMoreButton query={query}>
              <Link to="/explorer/epochs" search={{ from: Math.max(0, (rows.at(-1)?.number ?? 0) - 1) }}>
                Link to next page
              </Link>
            </LoadMoreButton>
          </>
        );
      }}
    </QueryView>
  );
}

function Row({ of, height = of.start }: { readonly of: Epoch; readonly height: number | undefined }) {
  const length = of.end - of.start + 1;
  const passed = Math.max(0, Math.min(length, height - of.start + 1));
  return (
    <tr>
      <td className="right number">{printWhole(of.number)}</td>
      <td className="right number">
        <Link to="/explorer/blocks" search={{ from: of.start, sort: "oldest" }}>
          {printWhole(of.start)}
        </Link>
      </td>
      <td className="right number">
        <Link to="/explorer/blocks" search={{ from: Math.min(of.end, height) }}>
          {printWhole(of.end)}
        </Link>
      </td>
      <td>
        <Time at={Date.parse(of.began)} />
      </td>
      <td>
        <ShareBar part={BigInt(passed)} all={BigInt(length)} />
      </td>
      <td className="right number">{printWhole(of.activeValidators)}</td>
      <td className="right number">{printWhole(of.quarantineLength)}</td>
    </tr>
  );
}

function epochsCsv(epochs: readonly Epoch[]): string {
  const head = ["epoch", "first_height", "last_height", "began", "validators", "quarantine_blocks"];
  return csvOf(
    head,
    epochs.map(({ number, start, end, began, activeValidators, quarantineLength }) => [
      ...[String(number), String(start), String(end), began, String(activeValidators), String(quarantineLength)],
    ]),
  );
}
