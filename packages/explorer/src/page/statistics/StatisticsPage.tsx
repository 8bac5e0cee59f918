import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useEffect, useMemo, useState } from "react";
import { node } from "../../data/node.js";
import { readHeights } from "../../data/readHeights.js";
import { useChain } from "../../data/useChain.js";
import { Asked, Card, PageHead } from "../../part/Card.js";
import { printBytes, printDuration, printWhole } from "../../text/numbers.js";
import { Plot } from "./Plot.js";
import { metricOf, type Series, seriesOf } from "./series.js";

const route = getRouteApi("/explorer/statistics");
const spans = [50, 200, 500] as const;

/** How the chain and this node do, as plots. */
export function StatisticsPage() {
  const { heights = spans[1] } = route.useSearch();
  return (
    <>
      <PageHead
        title="Statistics"
        about="Over the newest heights, from the blocks themselves; drag over a plot to look closer, double click to go back."
      >
        <span className="buttons">
          {spans.map((span) => (
            <Link
              key={span}
              className={span === heights ? "button small primary" : "button small"}
              to="/explorer/statistics"
              search={{ heights: span }}
            >
              {span} heights
            </Link>
          ))}
        </span>
      </PageHead>
      <Plots key={heights} heights={heights} />
    </>
  );
}

function Plots({ heights }: { readonly heights: number }) {
  const { blocks } = useChain();
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
      <Card title="Time from height to height">
        <Asked query={{ ...query, data: series }}>
          {({ time }) => <Plot name="Time from height to height" series={time} print={printDuration} />}
        </Asked>
      </Card>
      <Card title="Deploys">
        <Asked query={{ ...query, data: series }}>
          {({ deploys }) => <Plot name="Deploys" series={deploys} print={printWhole} kind="bars" />}
        </Asked>
      </Card>
      <Card title="Size of blocks">
        <Asked query={{ ...query, data: series }}>
          {({ bytes }) => <Plot name="Size of blocks" series={bytes} print={printBytes} kind="bars" />}
        </Asked>
      </Card>
      <Card title="Fault tolerance">
        <Asked query={{ ...query, data: series }}>
          {({ faultTolerance }) => <Plot name="Fault tolerance" series={faultTolerance} print={printFraction} />}
        </Asked>
      </Card>
      <Card title="Heights that are not final yet">
        <Lag />
      </Card>
      <Card title="Memory of this node">
        <Memory />
      </Card>
    </div>
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
  return <Plot name="Heights that are not final yet" series={useSamples(lag)} print={printFraction} isTime />;
}

function Memory() {
  const query = useQuery({
    queryKey: ["memory"],
    queryFn: async ({ signal }) => metricOf(await node.metrics({ signal }), "process_resident_memory_bytes") ?? null,
    refetchInterval: 3_000,
  });
  const samples = useSamples(query.data ?? undefined);
  if (query.data === null) return <p className="empty">This node does not tell its metrics.</p>;
  return <Plot name="Memory of this node" series={samples} print={printBytes} isTime />;
}
