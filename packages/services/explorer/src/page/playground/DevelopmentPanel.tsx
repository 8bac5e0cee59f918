import { useQuery } from "@tanstack/react-query";
import { devRoute, faucetRoute, mineRoute, revertRoute, snapshotRoute, timeRoute } from "@vedette/api/development";
import { HttpClient, parseTokens } from "@vedette/client";
import { type FormEvent, useMemo, useState } from "react";
import { queries, reasonOf } from "../../data/node.js";
import { liveChain } from "../../data/useChain.js";
import { useToken } from "../../data/useToken.js";
import { DescriptionList, Fact, Notice, QueryView } from "../../part/Card.js";
import { Account, DeployId } from "../../part/Hash.js";
import { printDuration, printWhole } from "../../text/numbers.js";
import { printMoment } from "../../text/times.js";
import { verification } from "../../verify/verification.js";
import type { OpenKey } from "./KeyChooser.js";

interface DevelopmentPanelProps {
  /** Where the routes for development are. */
  readonly at: string;
  readonly openKey: OpenKey | undefined;
  readonly onKey: (key: OpenKey) => void;
}

const lookMs = 3_000;
/** A block of a chain with a rhythm may take its time. */
const patienceMs = 120_000;

/** Shows the controls of a `vedette dev` chain: its accounts, free coins, snapshots, its clock, blocks. */
export function DevelopmentPanel({ at, openKey, onKey }: DevelopmentPanelProps) {
  const client = useMemo(() => new HttpClient({ url: at, retries: 0, timeoutMs: patienceMs }), [at]);
  const [reported, setReported] = useState<{
    readonly problem?: string;
    readonly gift?: string;
    readonly isBusy?: boolean;
  }>({});
  const query = useQuery({
    queryKey: ["development", at],
    queryFn: ({ signal }) => client.call(devRoute, {}, { signal }),
    refetchInterval: lookMs,
  });
  const act = async (work: () => Promise<string | undefined>) => {
    setReported({ isBusy: true });
    try {
      const gift = await work();
      setReported(gift === undefined ? {} : { gift });
    } catch (error) {
      setReported({ problem: reasonOf(error) });
    }
    await query.refetch();
  };
  const doing = { isBusy: reported.isBusy === true, act };
  return (
    <QueryView query={query}>
      {({ accounts, blockNumber, timeMs, aheadMs, snapshots }) => (
        <>
          <DescriptionList>
            <Fact name="Newest block">
              <span className="number">#{printWhole(blockNumber)}</span>
            </Fact>
            <Fact name="Its clock">
              <span className="number">{printMoment(Number(timeMs))}</span>{" "}
              {aheadMs >= 1_000n && <span className="muted">{printDuration(Number(aheadMs))} ahead</span>}
            </Fact>
          </DescriptionList>
          <div className="card-body development">
            {reported.problem !== undefined && (
              <Notice tone="bad">
                <strong>It was not done.</strong> {reported.problem}
              </Notice>
            )}
            {reported.gift !== undefined && (
              <Notice tone="good">
                Given: <DeployId of={reported.gift} />
              </Notice>
            )}
            <Faucet
              {...doing}
              first={openKey?.address ?? accounts[0]?.address ?? ""}
              give={async (address, amount) => (await client.call(faucetRoute, { body: { address, amount } })).deployId}
            />
            <Clock {...doing} move={(addMs) => client.call(timeRoute, { body: { addMs } })} />
            <Blocks {...doing} mine={(blocks) => client.call(mineRoute, { body: { blocks } })} />
            <Snapshots
              {...doing}
              ids={snapshots}
              take={() => client.call(snapshotRoute)}
              revert={async (id) => {
                await client.call(revertRoute, { body: { id } });
                liveChain.forget();
                void verification.goBack();
                // Answers about the earlier chain are no longer valid.
                void queries.resetQueries({ predicate: ({ queryKey }) => queryKey[0] !== "settings" });
              }}
            />
          </div>
          <section aria-label="Accounts">
            <ul className="rows">
              {accounts.some(({ privateKey }) => privateKey === undefined) && (
                <li className="muted">
                  To sign with these accounts here, start the chain with --serve-keys, or copy a key from its terminal.
                </li>
              )}
              {accounts.map(({ address, privateKey }) => (
                <li key={address}>
                  <span className="grow">
                    <Account of={address} />
                  </span>
                  {privateKey !== undefined && (
                    <button
                      type="button"
                      className="button small"
                      disabled={openKey?.address === address}
                      onClick={() => onKey({ address, privateKey })}
                    >
                      {openKey?.address === address ? "Signs now" : "Use to sign"}
                    </button>
                  )}
                </li>
              ))}
            </ul>
          </section>
        </>
      )}
    </QueryView>
  );
}

interface Doing {
  readonly isBusy: boolean;
  /** @param work returns the id of a deploy where there is one to show */
  readonly act: (work: () => Promise<string | undefined>) => Promise<void>;
}

/** Done without anything to show. */
const silently = (work: () => Promise<unknown>) => async () => {
  await work();
  return undefined;
};

interface FaucetProps extends Doing {
  readonly first: string;
  readonly give: (address: string, amount: bigint) => Promise<string>;
}

function Faucet({ first, give, isBusy, act }: FaucetProps) {
  const [address, setAddress] = useState("");
  const [coins, setCoins] = useState("1000");
  const token = useToken();
  const amount = parseTokens(coins.trim(), token.decimals);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (amount !== undefined) void act(() => give(address.trim() || first, amount));
  };
  return (
    <form className="run-bar" onSubmit={submit}>
      <label className="field grow">
        Address
        <input
          className="mono"
          value={address}
          maxLength={100}
          spellCheck={false}
          placeholder={first}
          onChange={(event) => setAddress(event.target.value)}
        />
      </label>
      <label className="field">
        {token.symbol === "coins" ? "Coins" : token.symbol}
        <input inputMode="decimal" size={8} value={coins} onChange={(event) => setCoins(event.target.value)} />
      </label>
      <button type="submit" className="button primary" disabled={isBusy || amount === undefined || amount === 0n}>
        Give
      </button>
    </form>
  );
}

const steps = [
  { word: "1 minute", ms: 60_000n },
  { word: "1 hour", ms: 3_600_000n },
  { word: "1 day", ms: 86_400_000n },
] as const;

function Clock({ move, isBusy, act }: Doing & { readonly move: (addMs: bigint) => Promise<unknown> }) {
  return (
    <div>
      <h3>Advance clock</h3>
      <div className="buttons">
        {steps.map(({ word, ms }) => (
          <button
            key={word}
            type="button"
            className="button small"
            disabled={isBusy}
            onClick={() => void act(silently(() => move(ms)))}
          >
            {word}
          </button>
        ))}
      </div>
    </div>
  );
}

function Blocks({ mine, isBusy, act }: Doing & { readonly mine: (blocks: number) => Promise<unknown> }) {
  return (
    <div>
      <h3>Make blocks</h3>
      <div className="buttons">
        {[1, 10, 100].map((blocks) => (
          <button
            key={blocks}
            type="button"
            className="button small"
            disabled={isBusy}
            onClick={() => void act(silently(() => mine(blocks)))}
          >
            {blocks}
          </button>
        ))}
      </div>
    </div>
  );
}

interface SnapshotsProps extends Doing {
  readonly ids: readonly number[];
  readonly take: () => Promise<unknown>;
  readonly revert: (id: number) => Promise<void>;
}

/** Snapshots that are offered: the latest ones. */
const maxShown = 12;

function Snapshots({ ids, take, revert, isBusy, act }: SnapshotsProps) {
  return (
    <div>
      <h3>Snapshots</h3>
      <div className="buttons">
        <button type="button" className="button small" disabled={isBusy} onClick={() => void act(silently(take))}>
          Keep the chain as it is now
        </button>
        {ids.slice(-maxShown).map((id) => (
          <button
            key={id}
            type="button"
            className="button small"
            disabled={isBusy}
            onClick={() => void act(silently(() => revert(id)))}
          >
            Back to snapshot {id}
          </button>
        ))}
      </div>
    </div>
  );
}
