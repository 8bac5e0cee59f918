import { useQuery } from "@tanstack/react-query";
import { type DeployKey, deployKeyOf, Wallet } from "@vedette/client";
import { useState } from "react";
import { deployTaker } from "../../data/deployTaker.js";
import { node, reasonOf } from "../../data/node.js";
import { useDialect } from "../../data/useDialect.js";
import { useToken } from "../../data/useToken.js";
import { Notice } from "../../part/Card.js";
import { Account, DeployId } from "../../part/Hash.js";
import { printCoins } from "../../text/numbers.js";
import { DeployData } from "../deploy/DeployData.js";
import { DeployTimeline } from "../deploy/DeployTimeline.js";
import { Prints } from "../deploy/Prints.js";
import { useDeploy } from "../deploy/useDeploy.js";
import { KeyChooser, type OpenKey } from "./KeyChooser.js";

interface SendPanelProps {
  readonly text: () => string;
  readonly openKey: OpenKey | undefined;
  readonly onKey: (key: OpenKey | undefined) => void;
}

/** Signs the program here, hands it to the node, and shows what becomes of it. */
export function SendPanel({ text, openKey: key, onKey }: SendPanelProps) {
  const dialect = useDialect();
  const [limit, setLimit] = useState("1000000");
  const [state, setState] = useState<{ readonly id?: string; readonly problem?: string; readonly isBusy?: boolean }>(
    {},
  );
  const send = async () => {
    setState({ isBusy: true });
    try {
      const own: DeployKey = deployKeyOf(key!.privateKey);
      const validator = await deployTaker();
      const wallet = new Wallet({ key: own, validator, read: node, dialect, phloLimit: BigInt(limit) });
      setState({ id: (await wallet.send(text())).id });
    } catch (error) {
      setState({ problem: reasonOf(error) });
    }
  };
  return (
    <div className="card-body stack">
      <KeyChooser chosen={key} onChoose={onKey} />
      {key !== undefined && (
        <>
          <Balance address={key.address} />
          <div className="run-bar">
            <label className="field grow">
              Phlo limit
              <input
                inputMode="numeric"
                pattern="[0-9]{1,18}"
                value={limit}
                onChange={(event) => setLimit(event.target.value.replaceAll(/\D/g, "").slice(0, 18))}
              />
            </label>
            <button
              type="button"
              className="button primary"
              disabled={state.isBusy === true || limit === ""}
              onClick={() => void send()}
            >
              {state.isBusy ? "Sending…" : "Sign and send"}
            </button>
          </div>
        </>
      )}
      {state.problem !== undefined && (
        <Notice tone="bad">
          <strong>It was not taken.</strong> {state.problem}
        </Notice>
      )}
      {state.id !== undefined && <Sent id={state.id} />}
    </div>
  );
}

function Balance({ address }: { readonly address: string }) {
  const { data } = useQuery({
    queryKey: ["balance", address, "latest"],
    queryFn: ({ signal }) => node.balances([address], "latest", { signal }),
    refetchInterval: 4_000,
  });
  const token = useToken();
  return (
    <p>
      <Account of={address} /> has{" "}
      <strong className="number">{data === undefined ? "…" : printCoins(data[0] ?? 0n, token)}</strong> {token.symbol}
      {data?.[0] === 0n && (
        <span className="muted">
          : a deploy costs some. <code>vedette dev</code> and <code>vedette network</code> print keys that have them.
        </span>
      )}
    </p>
  );
}

function Sent({ id }: { readonly id: string }) {
  const query = useDeploy(id);
  const first = query.data?.blocks[0];
  return (
    <div className="stack" role="status">
      <p>
        Sent: <DeployId of={id} />
      </p>
      {query.data !== undefined && <DeployTimeline deployStatus={query.data} />}
      {first?.errors?.map(({ text: words, line }) => (
        <Notice key={words} tone="bad">
          <strong>{line === null ? "It failed." : `It failed at line ${line}.`}</strong> {words}
        </Notice>
      ))}
      {first !== undefined && <Prints of={first} />}
      {first !== undefined && <DeployData deployId={id} blockHash={first.block.blockHash} />}
    </div>
  );
}
