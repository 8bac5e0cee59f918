export { type ReceivedEvent, ServerSentClient, WebSocketClient } from "./EventsClient.js";
export { EventsNode } from "./EventsNode.js";
export { answerOf, beginCall, framed, GrpcTest, rawConnection } from "./grpcTest.js";
export { expectRecordedCall, type RecordedCall, recordedCalls, titleOfCall } from "./recordedGrpc.js";
export { expectRecordedAnswer, isCompared, type RecordedAnswer, recordedAnswers, titleOf } from "./recordedHttp.js";
