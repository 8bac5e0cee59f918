import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { node } from "../../data/node.js";
import { useChain } from "../../data/useChain.js";
import { useHeights } from "../../data/useHeights.js";
import { useToken } from "../../data/useToken.js";
import { Badge } from "../../part/Badge.js";
import { Card, DescriptionList, Fact, PageHead, QueryView } from "../../part/Card.js";
import { Account } from "../../part/Hash.js";
import { Time } from "../../part/Time.js";
import { printCoins, printShare, printWhole } from "../../text/numbers.js";
import { type ValidatorActivity, validatorActivity } from "./validatorActivity.js";

const heights = 100;

/** Who makes the blocks, and how well. */
export function ValidatorsPage() {
  const { lastFinalized } = useChain();
  const query = useQuery({
    queryKey: ["validators", lastFinalized?.hash],
    queryFn: ({ signal }) => node.lastFinalizedBlock({ signal }),
    placeholderData: (before) => before,
  });
  const { blocks } = useHeights(heights);
  return (
    <>
      <PageHead
        title="Validators"
        about={`Stakes are those of the last finalized block; blocks are counted over the newest ${heights} heights.`}
      />
      <Card>
        <QueryView query={query}>
          {({ blockInfo: { bonds, blockNumber, faultTolerance } }) => (
            <>
              <DescriptionList>
                <Fact name="Fault tolerance">
                  <span className="number">{faultTolerance.toFixed(3)}</span>{" "}
                  <span className="muted">
                    of the last finalized block, #{printWhole(blockNumber)}: from −1 to 1, how much stake may lie
                    without undoing it
                  </span>
                </Fact>
              </DescriptionList>
              <Table all={bonds.reduce((sum, { stake }) => sum + stake, 0n)} of={validatorActivity(bonds, blocks)} />
            </>
          )}
        </QueryView>
      </Card>
    </>
  );
}

function Table({ of, all }: { readonly of: readonly ValidatorActivity[]; readonly all: bigint }) {
  const { symbol } = useToken();
  return (
    <div className="table-wrap">
      <table>
        <thead>
          <tr>
            <th>Validator</th>
            <th className="right">Stake, {symbol}</th>
            <th>Share</th>
            <th className="right">Blocks</th>
            <th className="right">Heights without</th>
            <th>Last block</th>
          </tr>
        </thead>
        <tbody>
          {of.map((standing) => (
            <Row key={standing.validator} of={standing} all={all} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({
  of: { validator, stake, proposed, missed, latest, hasEquivocated },
  all,
}: {
  readonly of: ValidatorActivity;
  readonly all: bigint;
}) {
  const token = useToken();
  const share = all === 0n ? 0 : Number((stake * 1_000n) / all) / 10;
  return (
    <tr>
      <td>
        <span className="hash">
          <Account of={validator} />
          {stake === 0n && <Badge tone="bad">Without stake</Badge>}
          {hasEquivocated && <Badge tone="bad">Equivocated</Badge>}
        </span>
      </td>
      <td className="right number">{printCoins(stake, token)}</td>
      <td>
        <span className="share">
          <span className="bar">
            <span style={{ width: `${share}%` }} />
          </span>
          <span className="number">{printShare(stake, all)}</span>
        </span>
      </td>
      <td className="right number">{printWhole(proposed)}</td>
      <td className="right number">{printWhole(missed)}</td>
      <td>
        {latest === undefined ? (
          <span className="muted">none lately</span>
        ) : (
          <>
            <Link className="number" to="/explorer/block/$hash" params={{ hash: latest.hash }}>
              #{printWhole(latest.number)}
            </Link>{" "}
            <span className="muted">
              <Time at={latest.timestamp} />
            </span>
          </>
        )}
      </td>
    </tr>
  );
}
