import { setImmediate as yieldNow } from "node:timers/promises";
import { create } from "@bufbuild/protobuf";
import type { ConnectRouter, HandlerContext, ServiceImpl } from "@connectrpc/connect";
import {
  bindPatternMessageOfBytes,
  ContinuationAtNamePayloadSchema,
  DataWithBlockInfoSchema,
  DeployFinalizationStateProto,
  DeployFinalizationStatusInfoSchema,
  DeployService,
  type LightBlockInfo,
  ListeningNameDataPayloadSchema,
  type Par as ParMessage,
  PrivateNamePreviewPayloadSchema,
  parMessageOfBytes,
  parOfMessage,
  RhoDataPayloadSchema,
  statusMessage,
} from "@vedette/api/grpc";
import type { BlockMetadata } from "@vedette/chain";
import type { RenderedTerms } from "@vedette/executor";
import {
  ApiError,
  type ApiQueries,
  bytesOfName,
  type QueuedRequest,
  shownName,
  strictBytesOfName,
} from "@vedette/queries";
import { DecodeError, nil, type Par } from "@vedette/terms";
import { callRoom } from "./AnswerRooms.js";
import { answering, answeringByStatus, answeringList, type OnFailure } from "./answer.js";
import { BlockMessages } from "./BlockMessages.js";
import { callClient } from "./callClient.js";
import { reportMessage } from "./reportMessage.js";

/** The sources of the methods' answers. */
interface Reads extends ApiQueries {
  readonly onFailure: OnFailure;
}

type Methods = Partial<ServiceImpl<typeof DeployService>>;
type NameMethods = Pick<
  ServiceImpl<typeof DeployService>,
  "listenForDataAtName" | "getDataAtName" | "listenForContinuationAtName"
>;

const signatureTexts = { unknownAlgorithm: "Invalid signing algorithm", invalidSignature: "Invalid signature" };

/** `casper.v1.DeployService`. @spec 50 §3.3, §3.4 */
export function registerDeployService(router: ConnectRouter, queries: ApiQueries, onFailure: OnFailure): void {
  const reads: Reads = { ...queries, onFailure };
  const messages = new BlockMessages(reads);
  router.service(DeployService, {
    ...deployMethods(reads, messages),
    ...blockMethods(reads, messages),
    ...dagMethods(reads),
    ...validatorMethods(reads),
  });
  const names = nameMethods(reads, messages);
  const { listenForDataAtName, getDataAtName, listenForContinuationAtName } = DeployService.method;
  const bounds = { readMaxBytes: maxNameBytes };
  router.rpc(listenForDataAtName, names.listenForDataAtName, bounds);
  router.rpc(getDataAtName, names.getDataAtName, bounds);
  router.rpc(listenForContinuationAtName, names.listenForContinuationAtName, bounds);
}

/** The limit of a request with names: two bytes can be one, and each takes a hundred times as much when it is read. */
const maxNameBytes = 65_536;

function deployMethods(reads: Reads, messages: BlockMessages): Methods {
  const { deploys, blocks, explore, reports, accounts, rules, onFailure } = reads;
  return {
    doDeploy: (request, { values }) =>
      answering(onFailure, async () => {
        const { deployer, term, timestamp, phloPrice, phloLimit, validAfterBlockNumber, shardId } = request;
        const { expirationTimestamp } = request;
        const expiring = expirationTimestamp === 0n ? {} : { expirationTimestamp };
        const data = { deployer, term, timestamp, phloPrice, phloLimit, validAfterBlockNumber, shardId };
        const source = { texts: signatureTexts, client: values.get(callClient) };
        const submitted = { ...data, ...expiring, signature: request.sig, algorithm: request.sigAlgorithm };
        return { case: "result" as const, value: await deploys.submit(submitted, source) };
      }),
    async findDeploy({ deployId }) {
      const answer = await answering(onFailure, () =>
        blockMember(messages.light(blocks.requireBlockOfDeploy(deployId))),
      );
      if (!rules.reportsStatus || answer.message.case === "error") return answer;
      const { state, rejections: rejectionCount } = accounts.finalization(deployId);
      return { ...answer, finalizationState: finalizationStates[state], rejectionCount };
    },
    deployFinalizationStatus: ({ deploySig }) =>
      answering(onFailure, () => {
        const { state, rejections: rejectionCount, latestBlock } = accounts.finalization(deploySig);
        const latest = latestBlock === undefined ? {} : { latestBlockHash: latestBlock };
        const value = { state: finalizationStates[state], rejectionCount, ...latest };
        return { case: "status" as const, value: create(DeployFinalizationStatusInfoSchema, value) };
      }),
    async exploratoryDeploy({ term, blockHash, usePreStateHash }, { signal, values: context }) {
      let reportedCost = 0n;
      const explored = rules.reportsCost ? answeringByStatus : answering;
      const answer = await explored(onFailure, async () => {
        const request = { term, blockHash, usePreStateHash, client: context.get(callClient) };
        const { values, block, cost = 0n } = await explore.explore(request, "bytes", signal);
        reportedCost = cost;
        await context.get(callRoom)(lengthOfTerms(values));
        const value = { postBlockData: parMessages(values), block: messages.light(block) };
        return { case: "result" as const, value: create(DataWithBlockInfoSchema, value) };
      });
      return { ...answer, cost: reportedCost };
    },
    getEventByHash: ({ hash, forceReplay }, { values }) =>
      answering(onFailure, async () => {
        const bytes = strictBytesOfName(hash);
        if (bytes === undefined) throw new ApiError(`Request hash: ${shownName(hash)} is not valid hex string`);
        const report = await reports.messages(bytes, forceReplay, values.get(callClient));
        await values.get(callRoom)(lengthOf([...report.deploys, ...report.systemDeploys]));
        const value = reportMessage(report, messages.light(report.block));
        return { case: "result" as const, value };
      }),
  };
}

const finalizationStates = {
  Finalized: DeployFinalizationStateProto.DEPLOY_STATE_FINALIZED,
  Failed: DeployFinalizationStateProto.DEPLOY_STATE_FAILED,
  Pending: DeployFinalizationStateProto.DEPLOY_STATE_PENDING,
  Expired: DeployFinalizationStateProto.DEPLOY_STATE_EXPIRED,
} as const;

/** Returns the client of a call, for turns. */
function requestOf({ values, signal }: Pick<HandlerContext, "values" | "signal">): QueuedRequest {
  return { client: values.get(callClient), signal };
}

function blockMethods(reads: Reads, messages: BlockMessages): Methods {
  const { status, blocks, dag, onFailure } = reads;
  const streamed = (list: () => readonly BlockMetadata[]) =>
    answeringList(onFailure, list, async (metadata) => {
      // Reading a block takes a while, and others wait for this thread.
      await yieldNow();
      return blockMember(messages.light(metadata));
    });
  return {
    status: () =>
      answering(onFailure, () => ({
        case: "status" as const,
        value: statusMessage(status.now(), status.network),
      })),
    getBlock: ({ hash }, context) =>
      answering(onFailure, async () => ({
        case: "blockInfo" as const,
        value: await messages.full(blocks.requireBlock(hash), requestOf(context), context.values.get(callRoom)),
      })),
    lastFinalizedBlock: (_, context) =>
      answering(onFailure, async () => ({
        case: "blockInfo" as const,
        value: await messages.full(blocks.requireLastFinalized(), requestOf(context), context.values.get(callRoom)),
      })),
    isFinalized: ({ hash }) =>
      answering(onFailure, () => ({
        case: "isFinalized" as const,
        value: blocks.isFinalized(bytesOfName(hash)),
      })),
    getBlocks: ({ depth }) => streamed(() => blocks.newest(depth)),
    getBlocksByHeights: ({ startBlockNumber, endBlockNumber }) =>
      streamed(() => blocks.span(startBlockNumber, endBlockNumber)),
    showMainChain: ({ depth }) => streamed(() => dag.mainChain(depth)),
  };
}

function dagMethods({ dag, onFailure }: Reads): Methods {
  const contentMember = (value: string) => ({ case: "content" as const, value });
  return {
    visualizeDag: ({ depth, startBlockNumber, showJustificationLines }) => {
      const request = { depth, startBlockNumber, showsJustifications: showJustificationLines };
      return answeringList(onFailure, () => dag.draw(request), contentMember);
    },
    machineVerifiableDag: () => answering(onFailure, () => contentMember(dag.verifiableText())),
  };
}

function nameMethods({ names, onFailure }: Reads, messages: BlockMessages): NameMethods {
  return {
    listenForDataAtName: ({ name, depth }, { signal, values }) =>
      answering(onFailure, async () => {
        const found = await names.dataAtName(parOf(name), depth, "bytes", { client: values.get(callClient), signal });
        await values.get(callRoom)(found.reduce((sum, { data }) => sum + lengthOfTerms(data), 0));
        const blockInfo = found.map(({ block, data }) => ({
          postBlockData: parMessages(data),
          block: messages.light(block),
        }));
        const value = create(ListeningNameDataPayloadSchema, { blockInfo, length: found.length });
        return { case: "payload" as const, value };
      }),
    getDataAtName: ({ par, blockHash }, { signal, values }) =>
      answering(onFailure, async () => {
        const asker = { client: values.get(callClient), signal };
        const { block, data } = await names.dataAtBlock(parOf(par), bytesOfName(blockHash), "bytes", asker);
        await values.get(callRoom)(lengthOfTerms(data));
        const value = create(RhoDataPayloadSchema, { par: parMessages(data), block: messages.light(block) });
        return { case: "payload" as const, value };
      }),
    listenForContinuationAtName: (request, { signal, values }) =>
      answering(onFailure, async () => {
        const asker = { client: values.get(callClient), signal };
        const found = await names.continuationsAtNames(request.names.map(parOf), request.depth, asker);
        const receives = found.flatMap((block) => block.receives);
        await values.get(callRoom)(lengthOf(receives.flatMap(({ patterns, body }) => [...patterns, body])));
        const blockResults = found.map(({ block, receives }) => ({
          postBlockContinuations: receives.map(({ patterns, body }) => ({
            postBlockPatterns: patterns.map(bindPatternMessageOfBytes),
            postBlockContinuation: parMessageOfBytes(body),
          })),
          block: messages.light(block),
        }));
        const value = create(ContinuationAtNamePayloadSchema, { blockResults, length: found.length });
        return { case: "payload" as const, value };
      }),
  };
}

function validatorMethods({ validators, rules, onFailure }: Reads): Methods {
  return {
    bondStatus: ({ publicKey }) =>
      answering(onFailure, async () => {
        if (rules.checksKeys && !isPublicKey(publicKey))
          throw new ApiError(`A public key has 65 bytes and begins with 04; this one has ${publicKey.length} bytes.`);
        return { case: "isBonded" as const, value: await validators.isBonded(publicKey) };
      }),
    previewPrivateNames: ({ user, timestamp, nameQty }) =>
      answering(onFailure, () => ({
        case: "payload" as const,
        value: create(PrivateNamePreviewPayloadSchema, { ids: validators.privateNames(user, timestamp, nameQty) }),
      })),
  };
}

/** One that is not compressed. */
function isPublicKey(key: Uint8Array): boolean {
  return key.length === 65 && key[0] === 4;
}

function blockMember(value: LightBlockInfo) {
  return { case: "blockInfo" as const, value };
}

function lengthOfTerms(terms: RenderedTerms): number {
  return terms.form === "bytes" ? lengthOf(terms.terms) : 0;
}

function lengthOf(parts: readonly Uint8Array[]): number {
  return parts.reduce((sum, { length }) => sum + length, 0);
}

function parMessages(terms: RenderedTerms): ParMessage[] {
  return terms.form === "bytes" ? terms.terms.map(parMessageOfBytes) : [];
}

/** @throws {ApiError} */
function parOf(message: ParMessage | undefined): Par {
  try {
    return message === undefined ? nil : parOfMessage(message);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw new ApiError(error.message, { kind: "exception", cause: error });
  }
}
