import { signedDeploy, testGenesis, testKey } from "@vedette/chain/testing";
import {
  type Block,
  type BlockFields,
  CommEvent,
  ConsumeEvent,
  ProduceEvent,
  rnode,
  signBlock,
} from "@vedette/protocol";

const hash = (byte: number) => new Uint8Array(32).fill(byte);

/** A log with an event of each kind. */
export function exampleLog() {
  const consume = new ConsumeEvent([hash(1)], hash(2), false);
  const produce = new ProduceEvent(hash(1), hash(3), true, false, [Uint8Array.of(1)], false);
  return [new CommEvent(consume, [produce], [1], [0]), consume, produce];
}

/** A signed block with deploys of both kinds. */
export function exampleBlock(fields: Partial<BlockFields> = {}): Block {
  const genesis = testGenesis({ v1: 10 });
  const key = testKey("v1");
  const deploy = { deploy: signedDeploy(), cost: 7n, log: exampleLog(), failed: false, systemDeployError: "" };
  const slash = { kind: "slash", invalidBlockHash: hash(5), issuerPublicKey: key.publicKey } as const;
  const unsigned: BlockFields = {
    ...genesis,
    header: { ...genesis.header, parents: [genesis.hash] },
    body: {
      ...genesis.body,
      deploys: [deploy],
      systemDeploys: [
        { systemDeploy: slash, log: exampleLog(), error: "" },
        { systemDeploy: { kind: "closeBlock" }, log: [], error: "" },
      ],
    },
    justifications: [{ validator: key.publicKey, latestBlockHash: genesis.hash }],
    sequenceNumber: 1,
    ...fields,
  };
  return signBlock(unsigned, key, rnode);
}
