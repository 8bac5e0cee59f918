import { addressOfKey, deployKeyOf, toHex } from "@vedette/client";
import { type FormEvent, useState } from "react";
import { reasonOf } from "../../data/node.js";
import { Notice } from "../../part/Card.js";
import { Account } from "../../part/Hash.js";
import { Text } from "../../part/Text.js";
import { canSeal, type KeptKey, KeyStore } from "./KeyStore.js";

const store = new KeyStore(globalThis.localStorage);

/** A key that is open: it is in this page's memory and nowhere else. */
export interface OpenKey {
  readonly address: string;
  readonly privateKey: string;
}

interface KeyChooserProps {
  readonly chosen: OpenKey | undefined;
  readonly onChoose: (key: OpenKey | undefined) => void;
}

/** Opens a key that is kept here, or brings a new one in. */
export function KeyChooser({ chosen, onChoose }: KeyChooserProps) {
  const [kept, setKept] = useState(() => store.list());
  const [isAdding, setAdding] = useState(kept.length === 0);
  if (chosen !== undefined)
    return (
      <p className="buttons">
        <Account of={chosen.address} />
        <button type="button" className="button small" onClick={() => onChoose(undefined)}>
          Lock
        </button>
      </p>
    );
  return (
    <>
      <ul className="stack">
        {kept.map((one) => (
          <Locked
            key={one.address}
            kept={one}
            onOpen={onChoose}
            onForget={() => {
              store.remove(one.address);
              setKept(store.list());
            }}
          />
        ))}
      </ul>
      {isAdding ? (
        <NewKey
          onAdd={(key) => {
            setKept(store.list());
            setAdding(false);
            onChoose(key);
          }}
        />
      ) : (
        <div className="buttons">
          <button type="button" className="button small" onClick={() => setAdding(true)}>
            Another key
          </button>
        </div>
      )}
    </>
  );
}

interface LockedProps {
  readonly kept: KeptKey;
  readonly onOpen: (key: OpenKey) => void;
  readonly onForget: () => void;
}

function Locked({ kept, onOpen, onForget }: LockedProps) {
  const [password, setPassword] = useState("");
  const [problem, setProblem] = useState<string>();
  const [isSure, setSure] = useState(false);
  const open = async (event: FormEvent) => {
    event.preventDefault();
    try {
      onOpen({ address: kept.address, privateKey: await store.open(kept, password) });
    } catch (error) {
      setProblem(reasonOf(error));
    }
  };
  return (
    <li>
      <form className="stack" onSubmit={(event) => void open(event)}>
        <span className="buttons">
          <strong>
            <Text of={kept.name} />
          </strong>
          <Account of={kept.address} />
        </span>
        <div className="run-bar">
          <label className="field grow">
            Password
            <input
              type="password"
              autoComplete="current-password"
              value={password}
              onChange={(event) => setPassword(event.target.value)}
            />
          </label>
          <button type="submit" className="button primary">
            Open
          </button>
          <button type="button" className="button" onClick={() => (isSure ? onForget() : setSure(true))}>
            {isSure ? "Forget it for ever" : "Forget"}
          </button>
        </div>
        {problem !== undefined && <Notice tone="bad">{problem}</Notice>}
      </form>
    </li>
  );
}

function NewKey({ onAdd }: { readonly onAdd: (key: OpenKey) => void }) {
  const [privateKey, setPrivateKey] = useState("");
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const [problem, setProblem] = useState<string>();
  const add = async (event: FormEvent) => {
    event.preventDefault();
    const digits = privateKey.trim().replace(/^0x/, "").toLowerCase();
    try {
      const address = addressOfKey(deployKeyOf(digits));
      if (canSeal()) await store.add(name, digits, password);
      onAdd({ address, privateKey: digits });
    } catch (error) {
      setProblem(reasonOf(error));
    }
  };
  return (
    <form className="stack" onSubmit={(event) => void add(event)}>
      <p className="muted">
        {canSeal()
          ? "The key stays in this browser, sealed with your password; the node sees signatures only."
          : "This page did not come over HTTPS: browsers seal no keys there. The key is kept until the page is closed."}
      </p>
      <label className="field">
        Private key
        <span className="run-bar">
          <input
            className="grow mono"
            type="password"
            autoComplete="off"
            required
            value={privateKey}
            placeholder="64 hexadecimal digits"
            onChange={(event) => setPrivateKey(event.target.value)}
          />
          <button type="button" className="button" onClick={() => setPrivateKey(freshKey())}>
            Make one
          </button>
        </span>
      </label>
      {canSeal() && (
        <div className="run-bar">
          <label className="field grow">
            Name
            <input value={name} maxLength={60} placeholder="My key" onChange={(event) => setName(event.target.value)} />
          </label>
          <label className="field grow">
            Password
            <input
              type="password"
              autoComplete="new-password"
              required
              minLength={8}
              value={password}
              onChange={(event) => setPassword(event.target.value)}
            />
          </label>
        </div>
      )}
      <div className="buttons">
        <button type="submit" className="button primary">
          Use it
        </button>
      </div>
      {problem !== undefined && <Notice tone="bad">{problem}</Notice>}
    </form>
  );
}

function freshKey(): string {
  return toHex(crypto.getRandomValues(new Uint8Array(32)));
}
