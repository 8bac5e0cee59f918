import { type DeployFact, deployFactParts, deploySummaryText, type FactPart } from "@vedette/client";
import { useToken } from "../data/useToken.js";
import { plainText } from "../text/hiddenCharacters.js";
import { Account } from "./Hash.js";
import { Text } from "./Text.js";

/** The number of effects that a list shows of a deploy. */
const maxQueuedRequests = 2;

/** One thing that a deploy did, in words; addresses are links. */
export function SaidFact({ fact }: { readonly fact: DeployFact }) {
  const token = useToken();
  return deployFactParts(fact, token).map((part, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts stay where they are
    <Part key={at} of={part} />
  ));
}

/** Shows the effects of a deploy, in a line of a list. */
export function Said({ of }: { readonly of: readonly DeployFact[] }) {
  const token = useToken();
  const more = of.length - maxQueuedRequests;
  return (
    <span className="said-line" title={plainText(deploySummaryText(of, token))}>
      {of.slice(0, maxQueuedRequests).map((fact, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same may be done twice
        <span key={index} className={fact.type === "failed" ? "failed" : undefined}>
          <SaidFact fact={fact} />
        </span>
      ))}
      {more > 0 && <span className="muted">and {more} more</span>}
    </span>
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
