import { explorationLimits } from "@vedette/api";
import { printTerm } from "../../data/stateEntries.js";
import { QueryView } from "../../part/Card.js";
import { Value } from "../../part/Text.js";
import { Mark } from "../../part/VerifiedMark.js";
import { comparedResults } from "../../verify/runFinding.js";
import { useFinding } from "../../verify/useVerification.js";
import { Questions } from "./ContractMethods.js";
import { type RegisteredAnswer, useRegistered } from "./useRegistered.js";

/** Shows the registry's present value; if it is a name, its methods. */
export function RegisteredValue({ uri }: { readonly uri: string }) {
  const query = useRegistered(uri);
  return (
    <QueryView query={query}>
      {(answer) => {
        if (answer.reported.length === 0) return <p className="muted">The registry does not answer.</p>;
        // Where the name leads is checked on the page of its state.
        return answer.isName ? <Questions uri={uri} /> : <PlainValue of={answer} />;
      }}
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
  return (
    <div className="stack small-stack">
      {rholang !== undefined && <Value text={printTerm({ rholang })} />}
      <Mark of={check} />
    </div>
  );
}
