import { getRouteApi } from "@tanstack/react-router";
import type { DeployStatus } from "@vedette/client";
import { shorten } from "../../data/shorten.js";
import { useChain } from "../../data/useChain.js";
import { useToken } from "../../data/useToken.js";
import { DeployStatusBadge } from "../../part/Badge.js";
import { Card, DescriptionList, Fact, Notice, PageHead, QueryView } from "../../part/Card.js";
import { Account, BlockHash, DeployId } from "../../part/Hash.js";
import { Text } from "../../part/Text.js";
import { Time } from "../../part/Time.js";
import { maxAutomaticDepth, VerifiedMark } from "../../part/VerifiedMark.js";
import { printCoins, printWhole } from "../../text/numbers.js";
import { DeployData } from "./DeployData.js";
import { DeployNames } from "./DeployNames.js";
import { DeployTimeline } from "./DeployTimeline.js";
import { DeployTransfers } from "./DeployTransfers.js";
import { Prints } from "./Prints.js";
import { Program } from "./Program.js";
import { Summary } from "./Summary.js";
import { TraceCard } from "./TraceCard.js";
import { useDeploy } from "./useDeploy.js";

const route = getRouteApi("/explorer/deploy/$id");

/** One deploy: what became of it, what it did, what it is. */
export function DeployPage() {
  const { id } = route.useParams();
  const query = useDeploy(id);
  return (
    <>
      <PageHead title="Deploy" name={`Deploy ${shorten(id, 4, 10)}`}>
        {query.data && <DeployStatusBadge of={query.data.status} />}
        {query.data && <DeployMark reported={query.data} />}
      </PageHead>
      {query.data === undefined ? (
        <Card>
          <QueryView query={query}>{() => null}</QueryView>
        </Card>
      ) : (
        <Deploy deployStatus={query.data} />
      )}
    </>
  );
}

/** Whether this browser has verified the deploy, its outcome and its block. */
function DeployMark({ reported }: { readonly reported: DeployStatus }) {
  const head = useChain().lastFinalized?.number;
  const number = reported.blocks[0]?.block.blockNumber;
  const depth = head === undefined || number === undefined ? 0 : head - Number(number);
  const isCostly = depth > maxAutomaticDepth;
  return <VerifiedMark of={reported} run={(verifier) => verifier.checkDeploy(reported)} isCostly={isCostly} />;
}

function Deploy({ deployStatus }: { readonly deployStatus: DeployStatus }) {
  const { deploy, blocks } = deployStatus;
  const token = useToken();
  const first = blocks[0];
  // The errors in the first lines are not repeated.
  const isSaid = (text: string) => deployStatus.summary?.some((fact) => fact.type === "failed" && fact.reason === text);
  const errors = (first?.errors ?? []).filter(({ text }) => isSaid(text) !== true);
  return (
    <div className="stack">
      {deployStatus.summary !== undefined && <Summary deployStatus={deployStatus} />}
      <Card>
        <DeployTimeline deployStatus={deployStatus} />
      </Card>
      {deployStatus.reason !== undefined && (
        <Notice tone="bad">
          <strong>This node could not execute it.</strong> <Text of={deployStatus.reason} />
        </Notice>
      )}
      {first?.systemDeployError && (
        <Notice tone="bad">
          <strong>It could not pay.</strong> <Text of={first.systemDeployError} />
        </Notice>
      )}
      {errors.map(({ text, line }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two errors may be the same
        <Notice key={index} tone="bad">
          <strong>{line === null ? "It failed." : `It failed at line ${line}.`}</strong> <Text of={text} />
        </Notice>
      ))}
      <Card>
        <DescriptionList>
          <Fact name="Deploy id">
            <DeployId of={deploy.deployId} isWhole />
          </Fact>
          <Fact name="Deployer">
            <span className="chips">
              <Account of={deploy.deployer} />
              {deploy.address !== null && <Account of={deploy.address} />}
            </span>
          </Fact>
          <Fact name="Signed at">
            <Time at={Number(deploy.timestamp)} isWhole />
          </Fact>
          {first !== undefined && deployStatus.summary === undefined && (
            <Fact name="Cost">
              <span className="number">{printWhole(first.cost)}</span> phlo
              <span className="muted number">
                {" "}
                of at most {printWhole(deploy.phloLimit)}; {printCoins(first.cost * deploy.phloPrice, token)}{" "}
                {token.symbol} at a price of {printWhole(deploy.phloPrice)}
              </span>
            </Fact>
          )}
          <Fact name="Blocks">
            {blocks.length === 0 && "none yet"}
            <span className="chips">
              {blocks.map(({ block }) => (
                <span key={block.blockHash} className="hash">
                  <span className="number">#{printWhole(block.blockNumber)}</span> <BlockHash of={block.blockHash} />
                </span>
              ))}
            </span>
          </Fact>
          <Fact name="Valid after">
            <span className="number">
              #{printWhole(deploy.validAfterBlockNumber)}{" "}
              <span className="muted">signed by {deploy.sigAlgorithm}, shard</span> <Text of={deploy.shardId} />
            </span>
          </Fact>
        </DescriptionList>
      </Card>
      <Program term={deploy.term} faultLines={(first?.errors ?? []).flatMap(({ line }) => line ?? [])} />
      {first !== undefined && <Prints of={first} />}
      {first !== undefined && <TraceCard deployId={deploy.deployId} blockHash={first.block.blockHash} />}
      <DeployTransfers of={deployStatus} />
      {first !== undefined && <DeployNames of={deployStatus} blockHash={first.block.blockHash} />}
      {first !== undefined && <DeployData deployId={deploy.deployId} blockHash={first.block.blockHash} />}
    </div>
  );
}
