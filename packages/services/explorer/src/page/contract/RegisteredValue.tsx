import { explorationLimits } from "@vedette/api";
import { printTerm } from "../../data/stateEntries.js";
import { useSettings } from "../../data/useSettings.js";
import { QueryView } from "../../part/Card.js";
import { Value } from "../../part/Text.js";
import { Mark } from "../../part/VerifiedMark.js";
import { comparedResults } from "../../verify/runFinding.js";
import { useFinding } from "../../verify/useVerification.js";
import { ContractMethods } from "./ContractMethods.js";
import { type RegisteredAnswer, useRegistered } from "./useRegistered.js";

/** Shows the registry's present value; if it is a name, its methods and its data. */
export function RegisteredValue({ uri }: { readonly uri: string }) {
  const query = useRegistered(uri);
  // A validator runs no look-up, but reads the state.
  if (useSettings()?.runsPrograms === false) return <ContractMethods uri={uri} />;
  return (
    <QueryView query={query}>
      {/* Where the name leads is checked on the page of its state. */}
      {(answer) => (answer.isName ? <ContractMethods uri={uri} /> : <PlainValue of={answer} />)}
    </QueryView>
  );
}

/** The node's value until this browser has found its own, which is shown in its place. */
function PlainValue({ of: answer }: { readonly of: RegisteredAnswer }) {
  const { source, blockHash, reported } = answer;
  const program = { source, blockHash, phloLimit: BigInt(explorationLimits.phlo.usual) };
  const check = useFinding({
    of: answer,
    run: async (verifier) => comparedResults(await verifier.checkRun(program), reported),
  });
  const [rholang] = check.finding?.own?.results ?? reported;
  const isNothing = rholang === undefined || rholang === "Nil";
  return (
    <div className="card-body stack small-stack">
      {isNothing ? (
        <p className="muted">The registry has nothing at this URI.</p>
      ) : (
        <Value text={printTerm({ rholang })} />
      )}
      <Mark of={check} />
    </div>
  );
}
