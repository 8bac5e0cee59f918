import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import type { CommandAnswer } from "./CommandAnswer.js";
import { messageJson } from "./messageJson.js";
import { messageText, paintedMessage } from "./messageText.js";

/** The answer that a message is: in rnode's form, on a terminal with colours. @spec 50 §5.6 */
export function messageAnswer<D extends DescMessage>(schema: D, message: MessageShape<D>): CommandAnswer {
  const text = messageText(schema, message);
  return { text, painted: (paint) => paintedMessage(text, paint), json: messageJson(schema, message) };
}
