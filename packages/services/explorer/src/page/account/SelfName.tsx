import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { fromHex } from "@vedette/client";
import { blake2b256, registryUri } from "@vedette/crypto";
import { lookupProgram } from "../../data/lookupProgram.js";
import { node } from "../../data/node.js";
import { useSettings } from "../../data/useSettings.js";
import { Fact } from "../../part/Card.js";
import { Text } from "../../part/Text.js";
import { nameInEntry } from "./nameInEntry.js";

/** The name that an account gives itself by the registry entry that it signed; nothing where it gives none. */
export function SelfName({ publicKey }: { readonly publicKey: string }) {
  const uri = registryUri(blake2b256(fromHex(publicKey)));
  const settings = useSettings();
  const { data } = useQuery({
    queryKey: ["selfName", uri],
    enabled: settings?.runsPrograms === true,
    queryFn: async ({ signal }) => {
      const { results } = await node.exploreWithin({ term: lookupProgram(uri) }, { signal });
      return nameInEntry(results[0]?.expr) ?? null;
    },
    staleTime: 60_000,
  });
  if (typeof data !== "string") return null;
  return (
    <Fact name="Name">
      <span className="label">
        <Text of={data} />
      </span>{" "}
      <span className="muted">
        given by the account itself, in{" "}
        <Link to="/explorer/contract/$uri" params={{ uri }}>
          its entry of the registry
        </Link>
      </span>
    </Fact>
  );
}
