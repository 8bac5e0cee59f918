import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useEffect, useState } from "react";
import { reasonOf } from "../../data/node.js";
import { Badge } from "../../part/Badge.js";
import { Card, DescriptionList, Empty, Fact, Notice, PageHead } from "../../part/Card.js";
import { BlockHash } from "../../part/Hash.js";
import { Text } from "../../part/Text.js";
import { Time } from "../../part/Time.js";
import { Lies } from "../../part/VerifiedMark.js";
import { printWhole } from "../../text/numbers.js";
import type { Trust } from "../../verify/Finding.js";
import { useVerification } from "../../verify/useVerification.js";
import type { Progress } from "../../verify/Verifier.js";
import { verification } from "../../verify/verification.js";
import { enteredCheckpoint } from "./enteredCheckpoint.js";

/** Shows the browser's trusted block, how far it has verified the chain, and its findings. */
export function VerificationPage() {
  const { isOn, progress, lies } = useVerification();
  useEffect(() => {
    if (isOn) void verification.follow();
  }, [isOn]);
  return (
    <>
      <PageHead
        title="Verification"
        about="Your browser checks blocks, balances, deploys and data itself: signatures of validators, finality and Merkle proofs, from one block that you trust. The node can only be believed for what is marked as reported."
      >
        <Badge tone={isOn ? "good" : "plain"}>{isOn ? "On" : "Off"}</Badge>
        <button type="button" className="button small" onClick={() => verification.turn(!isOn)}>
          {isOn ? "Switch off" : "Switch on"}
        </button>
      </PageHead>
      <div className="stack">
        {lies.length > 0 && (
          <Notice tone="bad">
            <div className="stack small-stack">
              <Lies of={lies} />
            </div>
          </Notice>
        )}
        <Newest progress={progress} />
        <Start trust={progress?.trust} />
        <Enter />
      </div>
    </>
  );
}

function Newest({ progress }: { readonly progress: Progress | undefined }) {
  const { block, verifiedMs, problem, doubled = [] } = progress ?? {};
  return (
    <Card title="Newest verified block">
      {block === undefined ? (
        <Empty>{problem ?? "Nothing is verified yet."}</Empty>
      ) : (
        <DescriptionList>
          <Fact name="Block">
            <span className="number">#{printWhole(block.number)}</span> <BlockHash of={block.hash} />
          </Fact>
          <Fact name="Time">
            <Time at={block.timestamp} isWhole />
          </Fact>
          {verifiedMs !== undefined && (
            <Fact name="Last update">
              <span className="number">verified in {verifiedMs.toFixed(1)} ms</span>
            </Fact>
          )}
          {problem !== undefined && (
            <Fact name="No newer block">
              <Text of={problem} />
            </Fact>
          )}
          {doubled.length > 0 && (
            <Fact name="Signed two blocks of one number">
              <Text of={doubled.join(", ")} />
            </Fact>
          )}
        </DescriptionList>
      )}
    </Card>
  );
}

function Start({ trust }: { readonly trust: Trust | undefined }) {
  if (trust === undefined) return null;
  const { blockHash, blockNumber, shardId, dialect, thresholdPpm } = trust.checkpoint;
  return (
    <Card title="Trusted start">
      <DescriptionList>
        <Fact name="Block">
          <span className="number">#{printWhole(blockNumber)}</span> <BlockHash of={blockHash} isWhole />
        </Fact>
        <Fact name="Trusted">
          {trust.origin === "firstUse"
            ? "on first use: the node named it when this browser first came here"
            : "entered by you"}
          , <Time at={trust.since} isWhole />
        </Fact>
        <Fact name="Network">
          <Text of={`${dialect}, shard ${shardId}, finality threshold ${thresholdPpm / 1e6}`} />
        </Fact>
      </DescriptionList>
    </Card>
  );
}

function Enter() {
  const [text, setText] = useState("");
  const entered = useMutation({
    mutationFn: async (given: string) => verification.restart(await enteredCheckpoint(given), "entered"),
  });
  const firstUse = useMutation({
    mutationFn: async () =>
      verification.restart(await (await verification.verifier()).reportedCheckpoint(), "firstUse"),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    entered.mutate(text);
  };
  const error = entered.error ?? firstUse.error;
  return (
    <Card title="Trust another block">
      <form className="card-body stack" onSubmit={submit}>
        <label className="field">
          <span>
            A checkpoint from a source that you trust, as <code>vedette checkpoint</code> prints it, or the hash of
            genesis
          </span>
          <textarea
            rows={4}
            value={text}
            required
            spellCheck={false}
            onChange={(event) => setText(event.target.value)}
          />
        </label>
        <p className="buttons">
          <button type="submit" className="button primary" disabled={entered.isPending}>
            Trust this block
          </button>
          <button type="button" className="button" disabled={firstUse.isPending} onClick={() => firstUse.mutate()}>
            Trust what this node names as genesis
          </button>
        </p>
        {error !== null && <Notice tone="bad">{reasonOf(error)}</Notice>}
      </form>
    </Card>
  );
}
