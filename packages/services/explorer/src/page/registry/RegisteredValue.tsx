import { useQuery } from "@tanstack/react-query";
import { node } from "../../data/node.js";
import { printTerm, type RenderedTerm } from "../../data/stateEntries.js";
import { QueryView } from "../../part/Card.js";
import { Value } from "../../part/Text.js";
import { Questions } from "./ContractMethods.js";

/** A name, or one with the number of its version, which it has where it was signed. */
const nameForm = /^(\(-?\d+, )?(bundle[+\-0]? ?\{|Unforgeable\()/;

/** Shows the registry's present value; if it is a name, its methods. */
export function RegisteredValue({ uri }: { readonly uri: string }) {
  const query = useQuery({
    queryKey: ["registered", uri],
    queryFn: ({ signal }) => {
      const term = `new return, lookup(\`rho:registry:lookup\`) in { lookup!(\`${uri}\`, *return) }`;
      return node.exploreWithin({ term }, { signal });
    },
  });
  return (
    <QueryView query={query}>
      {({ results }) => {
        const [value] = (results as readonly RenderedTerm[]).map(printTerm);
        if (value === undefined) return <p className="muted">The registry does not answer.</p>;
        return nameForm.test(value) ? <Questions uri={uri} /> : <Value text={value} />;
      }}
    </QueryView>
  );
}
