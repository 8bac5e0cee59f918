import { Link } from "@tanstack/react-router";
import { type DeployFact, deployFactParts, deploySummaryText, type FactPart } from "@vedette/client";
import { maxNameLength } from "../data/nameQuery.js";
import { useToken } from "../data/useToken.js";
import { plainText } from "../text/hiddenCharacters.js";
import { Account, ContractUri } from "./Hash.js";
import { Text } from "./Text.js";

/** The number of effects of a deploy that one line shows. */
const maxEffectsInLine = 2;

/** One effect of a deploy, in words; accounts, contracts and names are links. */
export function DeployEffect({ of }: { readonly of: DeployFact }) {
  const token = useToken();
  return deployFactParts(of, token).map((part, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts stay where they are
    <Part key={at} of={part} />
  ));
}

interface DeployEffectsProps {
  /** Undefined or null until the node has looked into the deploy. */
  readonly of: readonly DeployFact[] | null | undefined;
  /** Known before the effects are. */
  readonly hasFailed?: boolean;
}

/** Shows the effects of a deploy, in a line of a list. */
export function DeployEffects({ of, hasFailed = false }: DeployEffectsProps) {
  const token = useToken();
  if (!of) return <span className="effects-line muted">{hasFailed ? "failed" : "…"}</span>;
  const more = of.length - maxEffectsInLine;
  return (
    <span className="effects-line" title={plainText(deploySummaryText(of, token))}>
      {of.slice(0, maxEffectsInLine).map((fact, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same may be done twice
        <span key={index} className={fact.type === "failed" ? "failed" : undefined}>
          <DeployEffect of={fact} />
        </span>
      ))}
      {more > 0 && <span className="muted">and {more} more</span>}
    </span>
  );
}

function Part({ of }: { readonly of: FactPart }) {
  if (typeof of === "string") return <Text of={of} />;
  if ("address" in of) return <Account of={of.address} hasCopy={false} />;
  return <CodeLink of={of.code} />;
}

/** A URI leads to its contract, a public name to what lies there. */
function CodeLink({ of }: { readonly of: string }) {
  if (/^rho:[\w:]+$/.test(of)) return <ContractUri of={of} hasCopy={false} />;
  const text = (
    <code>
      <Text of={of} />
    </code>
  );
  if (!of.startsWith("@") || of.length > maxNameLength) return text;
  return (
    <Link to="/explorer/state" search={{ by: "name", of: of.slice(1) }}>
      {text}
    </Link>
  );
}
