import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { queryIndex } from "../../data/queryIndex.js";
import { useChain } from "../../data/useChain.js";
import { useToken } from "../../data/useToken.js";
import { Card, Empty, QueryView } from "../../part/Card.js";
import { printAmount, printDuration, printWhole } from "../../text/numbers.js";
import { Chart } from "./Chart.js";
import { LagCharts } from "./LagCharts.js";
import { readActiveAccounts } from "./readActiveAccounts.js";
import { readStakes } from "./readStakes.js";
import { inCoins, type Series } from "./series.js";
import { type CountedSpan, spansOver } from "./spansOver.js";

/** Spans that are drawn: three weeks of hours, or a year and a half of days. */
const most = 500;
const pauseMs = 30_000;

const documentOf = (by: "hour" | "day") => `query Statistics($most: Int!) {
  counted: statistics_by_${by}(order_by: {bucket_start: desc}, limit: $most) {
    bucket_start blocks deployments errored transfers phlo_cost fees_dust avg_block_time_seconds
    avg_finality_lag_seconds avg_finality_lag_blocks }
}`;

/** How the chain did from hour to hour, or from day to day, as the node's index has counted. */
export function OverTime({ by }: { readonly by: "hour" | "day" }) {
  const query = useQuery({
    queryKey: ["statisticsBy", by],
    queryFn: async ({ signal }) => {
      const { counted } = await queryIndex<{ readonly counted: readonly CountedSpan[] }>(
        documentOf(by),
        { most },
        signal,
      );
      return spansOver(counted);
    },
    refetchInterval: pauseMs,
    retry: false,
  });
  const token = useToken();
  const step = by === "hour" ? 3_600 : 86_400;
  const each = by === "hour" ? "each hour" : "each day";
  return (
    <QueryView query={query}>
      {(spans) => {
        if (spans.blocks[0].length === 0)
          return (
            <Card>
              <Empty>No blocks counted yet.</Empty>
            </Card>
          );
        const { decimals } = token;
        const shown = { query: { ...query, data: spans }, isTime: true, step } as const;
        const counts = { ...shown, print: printWhole, kind: "bars" } as const;
        return (
          <div className="two">
            <Chart {...counts} title={`Blocks, ${each}`} name="Blocks" of={({ blocks }) => blocks} />
            <Chart {...counts} title={`Deploys, ${each}`} name="Deploys" of={({ deploys }) => deploys} />
            <Chart {...counts} title={`Transfers, ${each}`} name="Transfers" of={({ transfers }) => transfers} />
            <ActiveAccounts step={step} title={`Active accounts, ${each}`} />
            <Chart {...counts} title={`Phlo, ${each}`} name="Phlo" of={({ cost }) => cost} />
            <Chart
              {...counts}
              title={`Fees, ${token.symbol}, ${each}`}
              name="Fees"
              print={printAmount}
              unit={token.symbol}
              of={({ fees }) => inCoins(fees, decimals)}
            />
            <Chart {...counts} title={`Failed deploys, ${each}`} name="Failed deploys" of={({ failed }) => failed} />
            <Stakes step={step} />
            <Chart
              {...shown}
              name="Block time"
              print={printDuration}
              unit="ms"
              of={({ blockTime }) => blockTime}
              none={`Known after a whole ${by}.`}
            />
            <LagCharts {...shown} about="mean" lagOf={({ lag }) => lag} />
          </div>
        );
      }}
    </QueryView>
  );
}

/** Accounts that signed deploys, in the last spans. @param step the length of a span, in seconds */
function ActiveAccounts({ step, title }: { readonly step: number; readonly title: string }) {
  const query = useQuery({
    queryKey: ["activeAccounts", step],
    queryFn: ({ signal }) => readActiveAccounts(step * 1_000, signal),
    refetchInterval: pauseMs,
    retry: false,
  });
  const name = "Active accounts";
  return <Chart {...{ title, name, query, step }} of={(series) => series} print={printWhole} kind="bars" isTime />;
}

/** The stake of all validators at the end of the last spans. @param step the length of a span, in seconds */
function Stakes({ step }: { readonly step: number }) {
  const { decimals, symbol } = useToken();
  const newest = useChain().blocks[0]?.timestamp;
  // New blocks of the same span change nothing that was final before.
  const end = newest === undefined ? undefined : Math.floor(newest / (step * 1_000));
  const query = useQuery({
    queryKey: ["stakes", step, end],
    queryFn: ({ signal }) => readStakes(step * 1_000, end! * step * 1_000, signal),
    enabled: end !== undefined,
    refetchInterval: pauseMs,
    placeholderData: (before) => before,
    retry: false,
  });
  const series = useMemo((): Series | undefined => {
    const first = query.data?.findIndex(({ stake }) => stake !== undefined) ?? -1;
    const known = first < 0 ? [] : query.data!.slice(first);
    return (
      query.data && [
        known.map(({ start }) => start / 1_000),
        known.map(({ stake }) => (stake === undefined ? null : Number(stake) / 10 ** decimals)),
      ]
    );
  }, [query.data, decimals]);
  return (
    <Chart
      title={`Total stake, ${symbol}`}
      name="Total stake"
      query={{ ...query, data: series }}
      of={(stakes) => stakes}
      print={printAmount}
      unit={symbol}
      isTime
      step={step}
    />
  );
}
