import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useEffect, useMemo, useState } from "react";
import { node } from "../../data/node.js";
import { queryIndex } from "../../data/queryIndex.js";
import { readHeights } from "../../data/readHeights.js";
import { useChain } from "../../data/useChain.js";
import { useSettings } from "../../data/useSettings.js";
import { useToken } from "../../data/useToken.js";
import { PageHead } from "../../part/Card.js";
import { printAmount, printBytes, printDuration, printWhole } from "../../text/numbers.js";
import { Chart } from "./Chart.js";
import { LagCharts } from "./LagCharts.js";
import { OverTime } from "./OverTime.js";
import { costsOver, type IndexedBlock, inCoins, lagsOver, metricOf, type Series, seriesOf } from "./series.js";

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
  const shown = { query: { ...query, data: series } };
  const { symbol, decimals } = token;
  return (
    <div className="two">
      <Chart {...shown} name="Block time (s)" print={printDuration} unit="ms" of={({ time }) => time} />
      <Chart {...shown} name="Deploys" print={printWhole} kind="bars" of={({ deploys }) => deploys} />
      {hasIndex && head !== undefined && <Indexed heights={heights} head={head} />}
      <Chart {...shown} name="Size of blocks" print={printBytes} unit="bytes" kind="bars" of={({ bytes }) => bytes} />
      <Chart {...shown} name="Fault tolerance" print={printFraction} of={({ faultTolerance }) => faultTolerance} />
      <Chart
        {...shown}
        title={`Total stake, ${symbol}`}
        name="Total stake"
        print={printAmount}
        unit={symbol}
        of={({ stake }) => inCoins(stake, decimals)}
      />
      {!hasIndex && <Lag />}
      <Memory />
    </div>
  );
}

const indexed = `query Indexed($above: bigint!, $most: Int!) {
  blocks(where: {block_number: {_gt: $above}, fate: {_neq: "forkedAway"}}, order_by: {block_number: desc}, limit: $most) {
    block_number timestamp fate phlo_cost fees_dust finalized_at_block_number finalized_at_timestamp }
}`;
/** There may be several blocks at a height. */
const maxIndexed = 1_000;

/** Charts of what blocks do not contain, but the index does: sums of costs, and when blocks became final. */
function Indexed({ heights, head }: { readonly heights: number; readonly head: number }) {
  const { symbol, decimals } = useToken();
  const query = useQuery({
    queryKey: ["indexed", heights, head],
    queryFn: async ({ signal }) => {
      const variables = { above: String(Math.max(-1, head - heights)), most: maxIndexed };
      return (await queryIndex<{ readonly blocks: readonly IndexedBlock[] }>(indexed, variables, signal)).blocks;
    },
    placeholderData: (before) => before,
    retry: false,
  });
  const series = useMemo(
    () =>
      query.data && {
        phlo: costsOver(query.data, "phlo_cost"),
        fees: inCoins(costsOver(query.data, "fees_dust"), decimals),
        lag: lagsOver(query.data),
      },
    [query.data, decimals],
  );
  const shown = { query: { ...query, data: series } };
  return (
    <>
      <Chart {...shown} name="Phlo" print={printWhole} kind="bars" of={({ phlo }) => phlo} />
      <Chart
        {...shown}
        title={`Fees, ${symbol}`}
        name="Fees"
        print={printAmount}
        unit={symbol}
        kind="bars"
        of={({ fees }) => fees}
      />
      <LagCharts {...shown} lagOf={({ lag }) => lag} />
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

/** Has all data at once. */
const present = { error: null, refetch: () => undefined };

function Lag() {
  const { blocks, lastFinalized } = useChain();
  const lag = blocks[0] && lastFinalized ? Math.max(0, blocks[0].number - lastFinalized.number) : undefined;
  const query = { ...present, data: useSamples(lag) };
  return <Chart name="Heights not final yet" query={query} of={(all) => all} print={printWhole} isTime step={3} />;
}

function Memory() {
  const query = useQuery({
    queryKey: ["memory"],
    queryFn: async ({ signal }) => metricOf(await node.metrics({ signal }), "process_resident_memory_bytes") ?? null,
    refetchInterval: 3_000,
  });
  const samples = { ...present, data: useSamples(query.data ?? undefined) };
  return (
    <Chart
      {...{ name: "Memory of this node", query: samples, print: printBytes, unit: "bytes", step: 3 }}
      of={(all) => all}
      isTime
      {...(query.data === null && { none: "This node does not publish metrics." })}
    />
  );
}
