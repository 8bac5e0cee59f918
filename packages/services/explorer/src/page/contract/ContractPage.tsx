import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { knownUriOf } from "../../data/knownUris.js";
import { shapeOf } from "../../data/shapeOf.js";
import { shorten } from "../../data/shorten.js";
import { useDialect } from "../../data/useDialect.js";
import { useSettings } from "../../data/useSettings.js";
import { Card, DescriptionList, Empty, Fact, Loading, PageHead, QueryView } from "../../part/Card.js";
import { DeployTable } from "../../part/DeployTable.js";
import { Download } from "../../part/Download.js";
import { Account, BlockHeight, ContractUri, DeployId } from "../../part/Hash.js";
import { LoadMoreButton } from "../../part/LoadMoreButton.js";
import { NoIndex } from "../../part/NoIndex.js";
import { Time } from "../../part/Time.js";
import { printWhole } from "../../text/numbers.js";
import { listedDeployOf } from "../deploys/deployRow.js";
import { deploysCsv } from "../deploys/deploysCsv.js";
import { RegisteredValue } from "./RegisteredValue.js";
import { type ContractRegistration, readCalls, readRegistrations } from "./readContract.js";
import { SourceCheck } from "./SourceCheck.js";

const route = getRouteApi("/explorer/contract/$uri");
const atOnce = 50;

/** Shows a contract by its URI: the deployer that registered it, its methods, and its callers. */
export function ContractPage() {
  const { uri } = route.useParams();
  const settings = useSettings();
  const known = knownUriOf(uri, useDialect());
  if (shapeOf(uri).uri !== uri)
    return (
      <>
        <PageHead title="Contract" />
        <Card>
          <Empty>This is no URI. Check whether all of it was copied.</Empty>
        </Card>
      </>
    );
  return (
    <>
      <PageHead name={`Contract ${shorten(uri, 14)}`} title="Contract" />
      <div className="stack">
        <Card>
          <DescriptionList>
            <Fact name="URI">
              <ContractUri of={uri} isWhole />
            </Fact>
            {known !== undefined && (
              <>
                <Fact name="What it does">{known.about}</Fact>
                <Fact name="Registered">
                  {known.origin === "genesis" ? "by genesis" : "by no deploy: every node has this process"}
                </Fact>
              </>
            )}
            {settings?.hasIndex === true && known === undefined && <Registrations of={uri} />}
            {settings?.hasIndex === true && <Uses of={uri} />}
          </DescriptionList>
        </Card>
        {known?.origin !== "system" && (
          <Card title="Methods and state">
            <RegisteredValue uri={uri} />
          </Card>
        )}
        <Card title="Calls" aside="deploys with a program that names the URI, the newest first">
          {settings === undefined && <Loading />}
          {settings?.hasIndex === false && <NoIndex without="Registrations and calls come from it." />}
          {settings?.hasIndex === true && <Calls of={uri} />}
        </Card>
      </div>
    </>
  );
}

function Registrations({ of }: { readonly of: string }) {
  const query = useQuery({
    queryKey: ["registrations", of],
    queryFn: ({ signal }) => readRegistrations(of, signal),
  });
  const registrations = query.data ?? [];
  return (
    <>
      {registrations.map((one) => (
        <Fact key={one.deploy_id + one.block_hash} name="Registered">
          <Registered of={one} />
        </Fact>
      ))}
      {registrations[0] !== undefined && <SourceCheck uri={of} deployId={registrations[0].deploy_id} />}
      {query.data?.length === 0 && (
        <Fact name="Registered">
          <span className="muted">by no deploy that the index knows</span>
        </Fact>
      )}
    </>
  );
}

function Registered({ of }: { readonly of: ContractRegistration }) {
  return (
    <span className="words">
      <Time at={Date.parse(`${of.created_at}Z`)} /> in{" "}
      <BlockHeight hash={of.block_hash} number={BigInt(of.block_number)} /> by{" "}
      <Account of={of.deployer} hasCopy={false} /> with <DeployId of={of.deploy_id} hasCopy={false} />
      {of.kind === "signed" && <span className="muted">under the deployer’s key</span>}
    </span>
  );
}

function useCalls(uri: string) {
  return useInfiniteQuery({
    queryKey: ["callsOf", uri],
    initialPageParam: 0,
    queryFn: ({ pageParam: skip, signal }) => readCalls({ uri, skip, limit: atOnce }, signal),
    getNextPageParam: (page, pages) => (page.length < atOnce ? undefined : pages.length * atOnce),
  });
}

function Uses({ of }: { readonly of: string }) {
  const query = useCalls(of);
  const rows = query.data?.pages.flat() ?? [];
  const latest = rows[0];
  return (
    <>
      <Fact name="Calls">
        <span className="number">
          {query.data === undefined ? "…" : `${printWhole(rows.length)}${query.hasNextPage ? " or more" : ""}`}
        </span>
      </Fact>
      {latest !== undefined && (
        <Fact name="Last call">
          <span className="words">
            <Time at={Number(latest.timestamp)} /> by <Account of={latest.deployer} hasCopy={false} /> with{" "}
            <DeployId of={latest.deploy_id} hasCopy={false} /> in{" "}
            <BlockHeight hash={latest.block_hash} number={BigInt(latest.block_number)} />
          </span>
        </Fact>
      )}
    </>
  );
}

function Calls({ of }: { readonly of: string }) {
  const query = useCalls(of);
  return (
    <QueryView query={query}>
      {({ pages }) => {
        const rows = pages.flat();
        if (rows.length === 0) return <Empty>No deploy names this URI in its program yet.</Empty>;
        return (
          <>
            <DeployTable deploys={rows.map(listedDeployOf)} />
            <div className="more buttons">
              <Download
                name="calls.csv"
                what="the calls"
                make={(signal) => deploysCsv((page) => readCalls({ uri: of, ...page }, signal))}
              />
              <LoadMoreButton query={query} />
            </div>
          </>
        );
      }}
    </QueryView>
  );
}
