export type { Ordering, saslMechanisms } from "./choices.js";
export { DeliveryCursorFile } from "./forward/DeliveryCursorFile.js";
export { type ForwardEvent, Forwarder, type ForwarderOptions } from "./forward/Forwarder.js";
export { JetStreamSink, type JetStreamSinkOptions } from "./jetstream/JetStreamSink.js";
export { KafkaSink, type KafkaSinkOptions } from "./kafka/KafkaSink.js";
export type { Sink, SinkEvent } from "./Sink.js";
export { SinkError, type SinkFailure } from "./SinkError.js";
export { type WebhookOptions, WebhookSink } from "./webhook/WebhookSink.js";
export { readOrMakeSecrets } from "./webhook/webhookSecrets.js";
