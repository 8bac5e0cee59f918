export { type BlockMessageFacts, readContent, readFacts } from "./blockMessage.js";
export { JetStreamSource } from "./follow/JetStreamSource.js";
export type { PublisherHeartbeat } from "./follow/PublisherHeartbeats.js";
export type { QuorumRule } from "./follow/Quorum.js";
export { Replica, type ReplicaEvent, type ReplicaOptions, type ReplicaProgress } from "./follow/Replica.js";
export { type BlockApplyResult, ReplicaChain, type ReplicaChainOptions } from "./follow/ReplicaChain.js";
export type { SourceMessage, StreamBounds, StreamSource } from "./follow/StreamSource.js";
export { JetStreamPort } from "./JetStreamPort.js";
export { JetStreamCounter } from "./limits/JetStreamCounter.js";
export {
  closeAfter,
  connectJetStream,
  isNatsAnswer,
  type JetStreamConnection,
  type NatsOptions,
  natsReason,
  natsTimeoutOf,
} from "./natsConnection.js";
export { Publisher, type PublisherEvent, type PublisherOptions } from "./Publisher.js";
export { CursorFile, type PublisherCursor, type PublisherPosition } from "./PublisherCursor.js";
export { StreamError, type StreamFailure } from "./StreamError.js";
export { type BlockVerdict, StreamNames } from "./StreamNames.js";
export type { StreamPort } from "./StreamPort.js";
export { JetStreamQueue, type QueueOptions } from "./verify/JetStreamQueue.js";
export {
  type CoordinatorEvent,
  type FinalChain,
  VerifyCoordinator,
  type VerifyCoordinatorOptions,
} from "./verify/VerifyCoordinator.js";
export type { TaskLease, VerifyQueue } from "./verify/VerifyQueue.js";
export { type TaskJudge, VerifyWorker, type VerifyWorkerOptions, type WorkerEvent } from "./verify/VerifyWorker.js";
export type { VerifyProgress, VerifyResult } from "./verify/verifyMessages.js";
