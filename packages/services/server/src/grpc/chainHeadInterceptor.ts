import { Code, ConnectError, type Interceptor } from "@connectrpc/connect";
import { headHeader, minBlockHeader } from "@vedette/api";
import { behindRetrySeconds, behindText, type ChainHead, parseMinBlock } from "@vedette/queries";
import { callClient } from "./callClient.js";

/**
 * Answers carry the chain's head, as metadata; a call may require a minimum height, and waits for it, or ends as
 * `Unavailable`.
 *
 * @spec 50 §1.16
 */
export function chainHeadInterceptor(head: ChainHead): Interceptor {
  return (next) => async (request) => {
    const text = request.header.get(minBlockHeader);
    if (text !== null) {
      const asked = parseMinBlock(text);
      if (asked === undefined)
        throw new ConnectError(`${minBlockHeader} must be the number of a block.`, Code.InvalidArgument);
      if (!(await head.reaches(asked, request.signal, request.contextValues.get(callClient)))) {
        const metadata = { "retry-after": String(behindRetrySeconds), ...metadataOf(head) };
        throw new ConnectError(behindText(asked, head.now()), Code.Unavailable, metadata);
      }
    }
    const response = await next(request);
    for (const [name, value] of Object.entries(metadataOf(head))) response.header.set(name, value);
    return response;
  };
}

function metadataOf(head: ChainHead): Record<string, string> {
  const text = head.text();
  return text === undefined ? {} : { [headHeader]: text };
}
