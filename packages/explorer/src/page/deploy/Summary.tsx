import { type DeployStatus, deployFactParts, type FactPart } from "@vedette/client";
import { useToken } from "../../data/useToken.js";
import { Card } from "../../part/Card.js";
import { Account, BlockHash } from "../../part/Hash.js";
import { Text } from "../../part/Text.js";
import { printCoins, printWhole } from "../../text/numbers.js";
import { finalityText } from "./finalityText.js";

/** What a deploy did, in words; then what it cost, where it is, and how final that is. */
export function Summary({ told }: { readonly told: DeployStatus }) {
  const { summary = [], blocks } = told;
  const token = useToken();
  return (
    <Card>
      <div className="card-body stack">
        <ul className="said">
          {summary.map((fact, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the same may be done twice
            <li key={index} className={fact.type === "failed" ? "failed" : undefined}>
              {deployFactParts(fact, token).map((part, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: parts stay where they are
                <Part key={at} of={part} />
              ))}
            </li>
          ))}
        </ul>
        {blocks[0] !== undefined && <Price told={told} first={blocks[0]} />}
      </div>
    </Card>
  );
}

function Part({ of }: { readonly of: FactPart }) {
  if (typeof of === "string") return <Text of={of} />;
  if ("address" in of) return <Account of={of.address} hasCopy={false} />;
  return (
    <code>
      <Text of={of.code} />
    </code>
  );
}

function Price({ told, first }: { readonly told: DeployStatus; readonly first: DeployStatus["blocks"][number] }) {
  const { phloLimit, phloPrice } = told.deploy;
  const token = useToken();
  const { blockHash, blockNumber } = first.block;
  return (
    <p className="muted number">
      Fee {printCoins(first.cost * phloPrice, token)} {token.symbol}: {printWhole(first.cost)} of at most{" "}
      {printWhole(phloLimit)} phlo at a price of {printWhole(phloPrice)}. Block #{printWhole(blockNumber)}{" "}
      <BlockHash of={blockHash} hasCopy={false} />, {finalityText(told.status)}.
    </p>
  );
}
