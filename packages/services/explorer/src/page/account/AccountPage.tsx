import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { addressOfAccount } from "../../data/addressOfAccount.js";
import { node, reasonOf } from "../../data/node.js";
import { shorten } from "../../data/shorten.js";
import { useChain } from "../../data/useChain.js";
import { useToken } from "../../data/useToken.js";
import { Card, DescriptionList, Empty, Fact, PageHead } from "../../part/Card.js";
import { Account, useLabel } from "../../part/Hash.js";
import { Identicon } from "../../part/Identicon.js";
import { Tabs } from "../../part/Tabs.js";
import { Text } from "../../part/Text.js";
import { Mark } from "../../part/VerifiedMark.js";
import { printCoins, printShare, printWhole } from "../../text/numbers.js";
import { useFinding } from "../../verify/useVerification.js";
import { AccountDeploys } from "./AccountDeploys.js";
import { AccountTransfers } from "./AccountTransfers.js";
import { type AccountName, accountOf } from "./accountOf.js";
import { BalanceHistory } from "./BalanceHistory.js";
import { SelfName } from "./SelfName.js";

const route = getRouteApi("/explorer/account/$address");

/** An account: what it has, moved and signed. */
export function AccountPage() {
  const { address } = route.useParams();
  const account = accountOf(address);
  if (account !== undefined) return <KnownAccount key={account.address} account={account} />;
  return (
    <>
      <PageHead title="Account" />
      <Card>
        <Empty>This is neither an address nor a public key. Check whether all of it was copied.</Empty>
      </Card>
    </>
  );
}

function KnownAccount({ account: { address, publicKey } }: { readonly account: AccountName }) {
  // The first deploy that it signed shows the key.
  const deploys = useQuery({
    queryKey: ["keyOf", address],
    queryFn: ({ signal }) => node.deploys({ address, limit: 1 }, { signal }),
    enabled: publicKey === undefined,
  });
  const bonds = useBonds();
  const bonded = bonds.find(({ validator }) => addressOfAccount(validator) === address)?.validator;
  const key = publicKey ?? deploys.data?.deploys[0]?.deployer ?? bonded;
  return (
    <>
      <PageHead
        name={`Account ${shorten(address)}`}
        title={
          <span className="hash">
            <span className="big-face">
              <Identicon of={address} />
            </span>
            Account
          </span>
        }
      />
      <div className="stack">
        <Card>
          <DescriptionList>
            <Balance address={address} />
            <OperatorsName of={address} />
            <Fact name="Address">
              <Account of={address} isWhole />
            </Fact>
            {key !== undefined && (
              <Fact name="Public key">
                <Account of={key} isWhole />
              </Fact>
            )}
            {key !== undefined && <SelfName publicKey={key} />}
            {key !== undefined && <Bond publicKey={key} />}
          </DescriptionList>
        </Card>
        <BalanceHistory address={address} />
        <Card>
          <Tabs
            label="What it did"
            tabs={[
              { name: "Transfers", content: <AccountTransfers address={address} /> },
              { name: "Deploys", content: <AccountDeploys address={address} /> },
            ]}
          />
        </Card>
      </div>
    </>
  );
}

/** The name that the node's operator gives the account, with its origin. */
function OperatorsName({ of }: { readonly of: string }) {
  const label = useLabel(of);
  if (label === undefined) return null;
  return (
    <Fact name="Name">
      <span className="label">
        <Text of={label} />
      </span>{" "}
      <span className="muted">given by the operator of this node</span>
    </Fact>
  );
}

/** The balance under the newest verified block; as the node reports it while nothing is verified. */
function Balance({ address }: { readonly address: string }) {
  const { lastFinalized } = useChain();
  const token = useToken();
  const reported = useQuery({
    queryKey: ["balance", address, lastFinalized?.hash],
    queryFn: ({ signal }) => node.balances([address], undefined, { signal }),
    placeholderData: (before) => before,
  });
  const check = useFinding({ of: address, run: (verifier) => verifier.checkBalance(address), isLive: true });
  const proven = check.finding?.proven;
  const amount = proven?.balance ?? reported.data?.[0];
  return (
    <Fact name="Balance">
      {amount === undefined && reported.error !== null ? (
        <span role="alert">Balance not available: {reasonOf(reported.error)}</span>
      ) : (
        <>
          <span className="amount number">{amount === undefined ? "…" : printCoins(amount, token)}</span>{" "}
          <span className="muted">
            {token.symbol},{" "}
            {proven === undefined
              ? "at the last finalized block"
              : `at the verified block #${printWhole(proven.number)}`}
          </span>
        </>
      )}{" "}
      <Mark of={check} />
    </Fact>
  );
}

/** Stakes after the last finalized block. */
function useBonds() {
  const { lastFinalized } = useChain();
  const { data } = useQuery({
    queryKey: ["validators", lastFinalized?.hash],
    queryFn: ({ signal }) => node.lastFinalizedBlock({ signal }),
    placeholderData: (before) => before,
  });
  return data?.blockInfo.bonds ?? [];
}

function Bond({ publicKey }: { readonly publicKey: string }) {
  const bonds = useBonds();
  const token = useToken();
  const own = bonds.find(({ validator }) => validator === publicKey);
  if (own === undefined) return null;
  const all = bonds.reduce((sum, { stake }) => sum + stake, 0n);
  return (
    <Fact name="Bond">
      <span className="number">{printCoins(own.stake, token)}</span>{" "}
      <span className="muted">
        {token.symbol} staked as a validator, {printShare(own.stake, all)} of all
      </span>
    </Fact>
  );
}
