import { jetstreamManager } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import type { Dialect } from "@vedette/protocol";
import { StreamNames } from "../StreamNames.js";
import { FollowedState } from "./FollowedState.js";

/** Reads a network's stream from its first message to its last. @throws TypeError where anything is wrong or missing */
export async function followStream(server: string, network: string, dialect?: Dialect): Promise<FollowedState> {
  const names = new StreamNames(network);
  const connection = await connect({ servers: server });
  try {
    const { streams } = await jetstreamManager(connection);
    const { state } = await streams.info(names.stream);
    const followed = new FollowedState(dialect);
    const parts = new Map<string, Uint8Array>();
    for (let seq = state.first_seq; seq <= state.last_seq; seq += 1) {
      const message = (await streams.getMessage(names.stream, { seq }))!;
      if (message.subject.includes(".part.")) parts.set(message.subject, message.data);
      await followed.take(message.subject, message.data, (content, at) => parts.get(names.part(content, at))!);
    }
    return followed;
  } finally {
    await connection.close();
  }
}
