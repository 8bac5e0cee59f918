import { testKey } from "@vedette/chain/testing";
import { equalBytes, toHex } from "@vedette/crypto";
import { type Block, type Body, f1r3node, type SlashDeploy, signBlock } from "@vedette/protocol";
import { describe, expect, test } from "vitest";
import { F1r3nodeTestNetwork, ownBeginning } from "../testing/F1r3nodeTestNetwork.js";
import type { F1r3nodeValidator } from "../testing/F1r3nodeValidator.js";

const nowhere = new Uint8Array(32).fill(7);

/** A block of the third validator with another body, signed anew. */
function changed(block: Block, body: Partial<Body>): Block {
  return signBlock({ ...block, body: { ...block.body, ...body } }, testKey("v3"), f1r3node);
}

/** The third validator goes on from its own block alone, or from others too. */
function goOn(own: Block, others: readonly Block[] = []): Block {
  const { body, header, justifications, sender, sequenceNumber } = own;
  const highest = [own, ...others].reduce((best, one) => (one.number > best.number ? one : best));
  const systemDeploys = body.systemDeploys.filter(({ systemDeploy }) => systemDeploy.kind !== "slash");
  const state = { ...body.state, blockNumber: highest.number + 1n, preStateHash: body.state.postStateHash };
  return signBlock(
    {
      ...own,
      header: {
        ...header,
        parents: [own, ...others].map(({ hash }) => hash),
        timestamp: highest.header.timestamp + 1n,
      },
      justifications: justifications.map((one) =>
        equalBytes(one.validator, sender) ? { ...one, latestBlockHash: own.hash } : one,
      ),
      sequenceNumber: sequenceNumber + 1,
      body: {
        ...body,
        state,
        systemDeploys,
        deploys: [],
        rejectedDeploys: [],
        appliedFromScope: [],
        mergeBase: new Uint8Array(0),
      },
    },
    testKey("v3"),
    f1r3node,
  );
}

async function begin(): Promise<{ readonly validators: F1r3nodeValidator[]; readonly network: F1r3nodeTestNetwork }> {
  // As f1r3node, they name what is invalid and slash for it at once.
  const network = await F1r3nodeTestNetwork.begin(ownBeginning(), { proposer: { slashesUnconfirmed: true } });
  await network.round();
  await network.round();
  return { network, validators: network.validators };
}

describe("a block on an invalid one that leads nowhere is invalid, so that blocks which name it are judged", () => {
  test.each(["wrong state", "unauthorized slash"] as const)("%s", async (fault) => {
    const { network, validators } = await begin();
    const [v1, v2, v3] = validators as [F1r3nodeValidator, F1r3nodeValidator, F1r3nodeValidator];
    const honest = await v3.make();
    const { state, systemDeploys } = honest.body;
    const systemDeploy: SlashDeploy = {
      ...{ kind: "slash", invalidBlockHash: network.blocks[0]!.hash, issuerPublicKey: honest.sender },
      ...{ initialRandom: new Uint8Array(0), targetActivationEpoch: 0n },
    };
    const slashes = fault === "wrong state" ? [] : [{ systemDeploy, log: [], error: "" }];
    const bad = changed(honest, {
      state: { ...state, postStateHash: nowhere },
      systemDeploys: [...slashes, ...systemDeploys],
    });
    const beside = await v2.make();
    const alone = goOn(bad);
    const merging = goOn(alone, [beside]);
    for (const validator of [v1, v2]) {
      await validator.take(beside);
      const verdict = fault === "wrong state" ? "InvalidTransaction" : "UnauthorizedSlashDeploy";
      expect(await validator.take(bad)).toBe(verdict);
      for (const block of [alone, merging]) {
        const { status, inserted } = await validator.chain.process(block, false);
        expect([status.status, inserted]).toEqual(["InvalidTransaction", true]);
      }
      // A state that need not exist is not fetched.
      expect(validator.chain.stateToFetch(bad.hash)).toBeUndefined();
      expect(validator.chain.stateToFetch(beside.hash)).toEqual(beside.body.state.postStateHash);
    }
    const naming = await v2.make();
    expect(naming.justifications.map(({ latestBlockHash }) => toHex(latestBlockHash))).toContain(toHex(merging.hash));
    expect(await v1.take(naming)).toBe("Valid");
  });
});
