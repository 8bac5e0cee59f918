import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useEffect, useMemo, useState } from "react";
import { node } from "../../data/node.js";
import { queryIndex } from "../../data/queryIndex.js";
import { readHeights } from "../../data/readHeights.js";
import { useChain } from "../../data/useChain.js";
import { useSettings } from "../../data/useSettings.js";
import { useToken } from "../../data/useToken.js";
import { Card, PageHead, QueryView } from "../../part/Card.js";
import { printAmount, printBytes, printDuration, printWhole } from "../../text/numbers.js";
import { OverTime } from "./OverTime.js";
import { Plot } from "./Plot.js";
import { type BlockCost, costsOver, inCoins, metricOf, type Series, seriesOf } from "./series.js";

const route = getRouteApi("/explorer/statistics");
const spans = [50, 200, 500] as const;

/** How the chain and this node do, as plots. */
export function StatisticsPage() {
  const { heights = spans[1], by } = route.useSearch();
  const settings = useSettings();
  return (
    <>
      <PageHead
        title="Statistics"
        about={
          <>
            {by === undefined
              ? "The newest heights, read from the blocks"
              : "Each hour or day, counted by the index of this node"}
            . Drag over a chart to zoom in, double click to zoom out.
          </>
        }
      >
        <span className="buttons">
          {spans.map((span) => (
            <Link
              key={span}
              className={by === undefined && span === heights ? "button small primary" : "button small"}
              to="/explorer/statistics"
              search={{ heights: span }}
            >
              {span} heights
            </Link>
          ))}
          {settings?.hasIndex === true &&
            (["hour", "day"] as const).map((span) => (
              <Link
                key={span}
                className={by === span ? "button small primary" : "button small"}
                to="/explorer/statistics"
                search={{ by: span }}
              >
                by {span}
              </Link>
            ))}
        </span>
      </PageHead>
      {by === undefined ? (
        <Plots key={heights} heights={heights} hasIndex={settings?.hasIndex === true} />
      ) : (
        <OverTime key={by} by={by} />
      )}
    </>
  );
}

function Plots({ heights, hasIndex }: { readonly heights: number; readonly hasIndex: boolean }) {
  const { blocks } = useChain();
  const token = useToken();
  const head = blocks[0]?.number;
  const query = useQuery({
    queryKey: ["statistics", heights, head],
    queryFn: ({ signal }) => readHeights(node, { from: head! - heights + 1, to: head! }, signal),
    enabled: head !== undefined,
    placeholderData: (before) => before,
  });
  const series = useMemo(() => query.data && seriesOf(query.data), [query.data]);
  return (
    <div className="two">
      <Card title="Block time (s)">
        <QueryView query={{ ...query, data: series }}>
          {({ time }) => <Plot name="Block time (s)" series={time} print={printDuration} />}
        </QueryView>
      </Card>
      <Card title="Deploys">
        <QueryView query={{ ...query, data: series }}>
          {({ deploys }) => <Plot name="Deploys" series={deploys} print={printWhole} kind="bars" />}
        </QueryView>
      </Card>
      {hasIndex && head !== undefined && <Costs heights={heights} head={head} />}
      <Card title="Size of blocks">
        <QueryView query={{ ...query, data: series }}>
          {({ bytes }) => <Plot name="Size of blocks" series={bytes} print={printBytes} kind="bars" />}
        </QueryView>
      </Card>
      <Card title="Fault tolerance">
        <QueryView query={{ ...query, data: series }}>
          {({ faultTolerance }) => <Plot name="Fault tolerance" series={faultTolerance} print={printFraction} />}
        </QueryView>
      </Card>
      <Card title={`Total stake, ${token.symbol}`}>
        <QueryView query={{ ...query, data: series }}>
          {({ stake }) => <Plot name="Total stake" series={inCoins(stake, token.decimals)} print={printAmount} />}
        </QueryView>
      </Card>
      <Card title="Heights not final yet">
        <Lag />
      </Card>
      <Card title="Memory of this node">
        <Memory />
      </Card>
    </div>
  );
}

const costs = `query Costs($above: bigint!, $most: Int!) {
  blocks(where: {block_number: {_gt: $above}, fate: {_neq: "forkedAway"}}, order_by: {block_number: desc}, limit: $most) {
    block_number phlo_cost fees_dust }
}`;
/** There may be several blocks at a height. */
const maxCosts = 1_000;

/** Shows the cost of the deploys of each height; blocks do not contain the sums, but the index does. */
function Costs({ heights, head }: { readonly heights: number; readonly head: number }) {
  const query = useQuery({
    queryKey: ["costs", heights, head],
    queryFn: async ({ signal }) => {
      const variables = { above: String(Math.max(-1, head - heights)), most: maxCosts };
      return (await queryIndex<{ readonly blocks: readonly BlockCost[] }>(costs, variables, signal)).blocks;
    },
    placeholderData: (before) => before,
    retry: false,
  });
  const { symbol, decimals } = useToken();
  const series = useMemo(
    () =>
      query.data && {
        phlo: costsOver(query.data, "phlo_cost"),
        fees: inCoins(costsOver(query.data, "fees_dust"), decimals),
      },
    [query.data, decimals],
  );
  return (
    <>
      <Card title="Phlo">
        <QueryView query={{ ...query, data: series }}>
          {({ phlo }) => <Plot name="Phlo" series={phlo} print={printWhole} kind="bars" />}
        </QueryView>
      </Card>
      <Card title={`Fees, ${symbol}`}>
        <QueryView query={{ ...query, data: series }}>
          {({ fees }) => <Plot name="Fees" series={fees} print={printAmount} kind="bars" />}
        </QueryView>
      </Card>
    </>
  );
}

function printFraction(value: number): string {
  return value.toFixed(2);
}

/** Samples of a value, from when the page was opened. */
function useSamples(value: number | undefined): Series {
  const [samples, setSamples] = useState<Series>([[], []]);
  const [tick, setTick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setTick((count) => count + 1), 3_000);
    return () => clearInterval(timer);
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a sample is taken at every tick
  useEffect(() => {
    if (value === undefined) return;
    setSamples(([times, values = []]) => [[...times, Date.now() / 1_000].slice(-600), [...values, value].slice(-600)]);
  }, [tick, value]);
  return samples;
}

function Lag() {
  const { blocks, lastFinalized } = useChain();
  const lag = blocks[0] && lastFinalized ? Math.max(0, blocks[0].number - lastFinalized.number) : undefined;
  return <Plot name="Heights not final yet" series={useSamples(lag)} print={printWhole} isTime step={3} />;
}

function Memory() {
  const query = useQuery({
    queryKey: ["memory"],
    queryFn: async ({ signal }) => metricOf(await node.metrics({ signal }), "process_resident_memory_bytes") ?? null,
    refetchInterval: 3_000,
  });
  const samples = useSamples(query.data ?? undefined);
  if (query.data === null) return <p className="empty">This node does not publish metrics.</p>;
  return <Plot name="Memory of this node" series={samples} print={printBytes} isTime step={3} />;
}
