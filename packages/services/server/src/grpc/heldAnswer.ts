import type { UniversalServerResponse } from "@connectrpc/connect/protocol";
import { pieceBytes } from "../http/holdAnswers.js";
import type { UnsentAnswers } from "../http/UnsentAnswers.js";
import type { AnswerRooms, RoomTaker } from "./AnswerRooms.js";
import type { CallChannel } from "./CallChannel.js";

/** Where answers are counted. */
export interface AnswerCounts {
  readonly unsent: UnsentAnswers;
  readonly rooms: AnswerRooms;
}

/** An answer that is counted until its client has taken it, in pieces, so that it is seen whether it is read. */
export function heldAnswer(
  answer: UniversalServerResponse,
  reader: RoomTaker,
  channel: Pick<CallChannel, "isClosed" | "onClose">,
  counts: AnswerCounts,
): UniversalServerResponse {
  const { body } = answer;
  if (body === undefined || channel.isClosed()) return answer;
  channel.onClose(() => counts.unsent.leave(reader));
  return { ...answer, body: inPieces(body as AsyncIterable<Uint8Array>, reader, channel, counts) };
}

async function* inPieces(
  body: AsyncIterable<Uint8Array>,
  reader: RoomTaker,
  channel: Pick<CallChannel, "isClosed">,
  { unsent, rooms }: AnswerCounts,
): AsyncGenerator<Uint8Array> {
  let last: Uint8Array | undefined;
  for await (const message of body) {
    // A client that requests more has taken the earlier data, except for the part that the connection keeps.
    if (last !== undefined) unsent.sent(last, reader);
    if (channel.isClosed()) return;
    last = message;
    unsent.sending(message, reader);
    for (let at = 0; at < message.length; at += pieceBytes) {
      if (at > 0) {
        unsent.took(reader);
        rooms.took(reader);
      }
      yield message.subarray(at, at + pieceBytes);
    }
  }
}
