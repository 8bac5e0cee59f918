import { useQuery } from "@tanstack/react-query";
import { queryIndex } from "../../data/queryIndex.js";
import { Card, Empty, QueryView } from "../../part/Card.js";
import { printDuration, printWhole } from "../../text/numbers.js";
import { Plot } from "./Plot.js";
import { readActiveAccounts } from "./readActiveAccounts.js";
import { type CountedSpan, spansOver } from "./spansOver.js";

/** Spans that are drawn: three weeks of hours, or a year and a half of days. */
const most = 500;
const pauseMs = 30_000;

const documentOf = (by: "hour" | "day") => `query Statistics($most: Int!) {
  counted: statistics_by_${by}(order_by: {bucket_start: desc}, limit: $most) {
    bucket_start blocks deployments errored transfers phlo_cost avg_block_time_seconds }
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
  const step = by === "hour" ? 3_600 : 86_400;
  const each = by === "hour" ? "each hour" : "each day";
  return (
    <QueryView query={query}>
      {({ blocks, deploys, failed, transfers, cost, blockTime }) =>
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
            <Card title={`Failed deploys, ${each}`}>
              <Plot name="Failed deploys" series={failed} print={printWhole} kind="bars" isTime step={step} />
            </Card>
            <Card title="Block time">
              <Plot name="Block time" series={blockTime} print={printDuration} isTime step={step} />
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
