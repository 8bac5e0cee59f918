import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { queryIndex } from "../../data/queryIndex.js";
import { useChain } from "../../data/useChain.js";
import { useToken } from "../../data/useToken.js";
import { Card, Empty, QueryView } from "../../part/Card.js";
import { printAmount, printDuration, printWhole } from "../../text/numbers.js";
import { Plot } from "./Plot.js";
import { readActiveAccounts } from "./readActiveAccounts.js";
import { readStakes } from "./readStakes.js";
import { inCoins, type Series } from "./series.js";
import { type CountedSpan, spansOver } from "./spansOver.js";

/** Spans that are drawn: three weeks of hours, or a year and a half of days. */
const most = 500;
const pauseMs = 30_000;

const documentOf = (by: "hour" | "day") => `query Statistics($most: Int!) {
  counted: statistics_by_${by}(order_by: {bucket_start: desc}, limit: $most) {
    bucket_start blocks deployments errored transfers phlo_cost fees_dust avg_block_time_seconds }
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
      {({ blocks, deploys, failed, transfers, cost, fees, blockTime }) =>
        blocks[0].length === 0 ? (
          <Card>
            <Empty>No blocks counted yet.</Empty>
          </Card>
        ) : (
          <div className="two">
            <Card title={`Blocks, ${each}`}>
              <Plot name="Blocks" series={blocks} print={printWhole} kind="bars" isTime step={step} />
            </Card>
            <Card title={`Deploys, ${each}`}>
              <Plot name="Deploys" series={deploys} print={printWhole} kind="bars" isTime step={step} />
            </Card>
            <Card title={`Transfers, ${each}`}>
              <Plot name="Transfers" series={transfers} print={printWhole} kind="bars" isTime step={step} />
            </Card>
            <Card title={`Active accounts, ${each}`}>
              <ActiveAccounts step={step} />
            </Card>
            <Card title={`Phlo, ${each}`}>
              <Plot name="Phlo" series={cost} print={printWhole} kind="bars" isTime step={step} />
            </Card>
            <Card title={`Fees, ${token.symbol}, ${each}`}>
              <Plot
                {...{ name: "Fees", series: inCoins(fees, token.decimals), step }}
                print={printAmount}
                kind="bars"
                isTime
              />
            </Card>
            <Card title={`Failed deploys, ${each}`}>
              <Plot name="Failed deploys" series={failed} print={printWhole} kind="bars" isTime step={step} />
            </Card>
            <Card title={`Total stake, ${token.symbol}`}>
              <Stakes step={step} />
            </Card>
            <Card title="Block time">
              {blockTime[1]?.some((value) => value !== null) === true ? (
                <Plot name="Block time" series={blockTime} print={printDuration} isTime step={step} />
              ) : (
                <Empty>Known after a whole {by}.</Empty>
              )}
            </Card>
          </div>
        )
      }
    </QueryView>
  );
}

/** Accounts that signed deploys, in the last spans. @param step the length of a span, in seconds */
function ActiveAccounts({ step }: { readonly step: number }) {
  const query = useQuery({
    queryKey: ["activeAccounts", step],
    queryFn: ({ signal }) => readActiveAccounts(step * 1_000, signal),
    refetchInterval: pauseMs,
    retry: false,
  });
  return (
    <QueryView query={query}>
      {(series) => <Plot name="Active accounts" series={series} print={printWhole} kind="bars" isTime step={step} />}
    </QueryView>
  );
}

/** The stake of all validators at the end of the last spans. @param step the length of a span, in seconds */
function Stakes({ step }: { readonly step: number }) {
  const { decimals } = useToken();
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
    <QueryView query={{ ...query, data: series }}>
      {(series) => <Plot name="Total stake" series={series} print={printAmount} isTime step={step} />}
    </QueryView>
  );
}
