import { emptyBytes } from "@vedette/crypto";
import type { ProcessedDeploy } from "@vedette/protocol";
import type { WritableTables } from "@vedette/store";
import { PlaySpace, type StateStore } from "@vedette/tuplespace";
import type { ExecutionDialect } from "../form/ExecutionDialect.js";
import type { ChannelValues } from "../numberChannels.js";
import { Runtime } from "../runtime/Runtime.js";
import type { GenesisPlay } from "./playBlock.js";
import { playDeploy } from "./playDeploy.js";

/** The result of playing the first block's deploys. */
export interface PlayedGenesis {
  /** 32 bytes. */
  readonly postState: Uint8Array;
  /** Those that failed too. */
  readonly deploys: readonly ProcessedDeploy[];
  /** For each deploy: what it left on the channels that merging treats as numbers. */
  readonly left: readonly ChannelValues[];
}

/**
 * Executes the deploys of genesis on a network of any dialect, without payment and without system deploys, and commits
 * the resulting state.
 *
 * @param store of the dialect's form
 * @param keep  keeps what the play has shown, in one transaction with the state
 * @throws {ExecutionError} `numberChannel`, `fatal`
 * @spec 41 §5.3, 61 §11
 */
export function playGenesisState(
  store: StateStore,
  genesis: GenesisPlay,
  form: ExecutionDialect,
  keep?: (tables: WritableTables, played: PlayedGenesis) => void,
): PlayedGenesis {
  const { preState, timestamp, blockNumber, output } = genesis;
  const space = new PlaySpace(store, form.matchDatum, preState, undefined, form.guardHolds);
  const runtime = new Runtime(space, { replay: false, form, output });
  runtime.enterBlock({ timestamp, blockNumber, sender: emptyBytes, sequenceNumber: 0 }, []);
  const played = genesis.deploys.map((deploy) => playDeploy(runtime, deploy, false));
  const found = { deploys: played.map(({ processed }) => processed), left: played };
  const { root } = space.checkpoint(keep && ((tables, postState) => keep(tables, { postState, ...found })));
  return { postState: root, ...found };
}
