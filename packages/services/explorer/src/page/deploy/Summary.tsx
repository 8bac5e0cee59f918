import type { DeployStatus } from "@vedette/client";
import { useToken } from "../../data/useToken.js";
import { Card } from "../../part/Card.js";
import { DeployEffect } from "../../part/DeployEffects.js";
import { BlockHash } from "../../part/Hash.js";
import { printCoins, printDuration, printWhole } from "../../text/numbers.js";
import { finalityText } from "./finalityText.js";
import { useDeployTimes } from "./useDeployTimes.js";

/** Shows the effects of a deploy in words; then its cost, its place, its finality, and its duration. */
export function Summary({ deployStatus }: { readonly deployStatus: DeployStatus }) {
  const { summary = [], blocks } = deployStatus;
  return (
    <Card>
      <div className="card-body stack">
        <ul className="effects">
          {summary.map((fact, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the same may be done twice
            <li key={index} className={fact.type === "failed" ? "failed" : undefined}>
              <DeployEffect of={fact} />
            </li>
          ))}
        </ul>
        {blocks[0] !== undefined && <Price deployStatus={deployStatus} first={blocks[0]} />}
      </div>
    </Card>
  );
}

function Price({
  deployStatus,
  first,
}: {
  readonly deployStatus: DeployStatus;
  readonly first: DeployStatus["blocks"][number];
}) {
  const { phloLimit, phloPrice } = deployStatus.deploy;
  const token = useToken();
  const { blockHash, blockNumber } = first.block;
  return (
    <p className="muted number">
      Fee {printCoins(first.cost * phloPrice, token)} {token.symbol}: {printWhole(first.cost)} of at most{" "}
      {printWhole(phloLimit)} phlo at a price of {printWhole(phloPrice)}. Block #{printWhole(blockNumber)}{" "}
      <BlockHash of={blockHash} hasCopy={false} />, {finalityText(deployStatus.status)}.
      <Duration deployStatus={deployStatus} />
    </p>
  );
}

/** Shows how long it took: by the signer's clock, and by those of validators. */
function Duration({ deployStatus }: { readonly deployStatus: DeployStatus }) {
  const { inBlockMs, finalMs } = useDeployTimes(deployStatus);
  if (inBlockMs === undefined) return null;
  return (
    <>
      {" "}
      In the block {printDuration(inBlockMs)} after it was signed
      {finalMs !== undefined && `, final ${printDuration(finalMs)} later`}.
    </>
  );
}
