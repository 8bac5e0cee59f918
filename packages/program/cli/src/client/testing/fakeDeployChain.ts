import { type DeployDataProto, parMessage } from "@vedette/api/grpc";
import { deployKeyOf } from "@vedette/client";
import { blockFixture, deployFixture, type FakeServices, lightBlockFixture } from "@vedette/client/fakes";
import { fromHex, toHex, vaultAddressOfPublicKey } from "@vedette/crypto";
import { ETuple, emptyBitSet, GBool, GString, nil, type Par, parOfExpr } from "@vedette/terms";
import { testKey } from "./runCommand.js";

export const environment = { VEDETTE_PRIVATE_KEY: testKey };
export const { publicKey } = deployKeyOf(fromHex(testKey));
export const own = vaultAddressOfPublicKey(publicKey)!;
export const bob = vaultAddressOfPublicKey(new Uint8Array(65).fill(0x22))!;

export const refusal = (...messages: string[]) => ({ message: { case: "error" as const, value: { messages } } });
export const unknownDeploy = refusal("Couldn't find block containing deploy with id: 3045");

/** How the chain of {@link fakeChain} treats the deploy that it is given. */
export interface DeployCourse {
  readonly cost?: bigint;
  readonly errored?: boolean;
  readonly systemDeployError?: string;
  /** The data at its deploy id. */
  readonly data?: readonly Par[];
  readonly isFinalized?: boolean;
}

/** A chain with a next block that holds the deploy; `received` is the received data. */
export function fakeChain(course: DeployCourse = {}): {
  services: FakeServices;
  received: DeployDataProto[];
  proposals: boolean[];
} {
  const received: DeployDataProto[] = [];
  const proposals: boolean[] = [];
  const { cost = 162n, errored = false, systemDeployError = "", isFinalized = true } = course;
  const inBlock = () =>
    deployFixture({ sig: toHex(received[0]!.sig), term: received[0]!.term, cost, errored, systemDeployError });
  const deploys: FakeServices["deploys"] = {
    async *getBlocks() {
      yield { message: { case: "blockInfo", value: lightBlockFixture() } };
    },
    doDeploy: (request) => {
      received.push(request);
      return { message: { case: "result", value: `Success! DeployId is: ${toHex(request.sig)}` } };
    },
    findDeploy: ({ deployId }) => {
      const isKnown = received.some(({ sig }) => toHex(sig) === toHex(deployId));
      return isKnown
        ? { message: { case: "blockInfo", value: lightBlockFixture({ blockNumber: 18n }) } }
        : unknownDeploy;
    },
    isFinalized: () => ({ message: { case: "isFinalized", value: isFinalized } }),
    getBlock: () => ({ message: { case: "blockInfo", value: blockFixture({ blockNumber: 18n }, [inBlock()]) } }),
    getDataAtName: () =>
      course.data === undefined
        ? refusal("None.get")
        : { message: { case: "payload", value: { par: course.data.map(parMessage) } } },
  };
  const propose: NonNullable<FakeServices["proposals"]>["propose"] = ({ isAsync }) => {
    proposals.push(isAsync);
    return { message: { case: "result", value: `Success! Block ${"aa".repeat(32)} created and added.` } };
  };
  return { services: { deploys, proposals: { propose } }, received, proposals };
}

const tuple = (...items: Par[]) => parOfExpr(new ETuple(items, emptyBitSet, false));
export const done = tuple(parOfExpr(new GBool(true)), nil);
export const refused = tuple(parOfExpr(new GBool(false)), parOfExpr(new GString("Insufficient funds")));
