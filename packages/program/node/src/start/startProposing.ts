import type { Chain, ProposeRules } from "@vedette/chain";
import { bondTerm, type NetworkDialect, transferTerm, transferWithResultTerm, unbondTerm } from "@vedette/client";
import type { Config } from "@vedette/config";
import { type Log, lineOf } from "@vedette/config/log";
import { fromHex, isSecp256k1PrivateKey, secp256k1PublicKeyOf } from "@vedette/crypto";
import type { Network } from "@vedette/network";
import { type Block, blockAlgorithm, type Deploy, type DeployKey, encodePacket } from "@vedette/protocol";
import type { Store } from "@vedette/store";
import type { NodeDialect } from "../dialect/NodeDialect.js";
import { type LowDiskGate, shortageText } from "../machine/LowDiskGate.js";
import type { Meters } from "../observe/meters.js";
import { proposeLines } from "../observe/proposeLines.js";
import { Proposing } from "../propose/Proposing.js";
import { proposeSettingsOf } from "../propose/proposeSettings.js";
import { type DevChainHooks, machineClock } from "./DevChainHooks.js";
import type { ProposeSyncGate } from "./ProposeSyncGate.js";
import type { ValidatorIdentity } from "./validatorIdentity.js";

/** The parts of a validator in a node. */
export interface ProposingParts {
  readonly config: Config;
  readonly dialect: Pick<NodeDialect, "protocol" | "genesis" | "heartbeatCaps">;
  readonly chain: Chain;
  readonly store: Store;
  readonly rules: ProposeRules;
  readonly validator: ValidatorIdentity;
  readonly catchUp: ProposeSyncGate;
  readonly room: LowDiskGate;
  /** `undefined` before the network is there. */
  readonly network: () => Network | undefined;
  /** Receives every block that is made, before the event that it was added. */
  readonly onBlockCreated: (block: Block) => void;
  /** Receives every deploy that is taken. */
  readonly onDeployTaken: (deploy: Deploy) => void;
  readonly log: Log;
  readonly meters: Meters;
  /** On a chain for development only. */
  readonly development?: DevChainHooks | undefined;
}

/** The validator's part, not yet at work. @spec 40 §9 */
export function proposingOf(parts: ProposingParts): Proposing {
  const { config, dialect, validator, catchUp, room, network, log, meters, development } = parts;
  const whyNoRoom = () => room.shortage && shortageText(room.shortage);
  return new Proposing({
    ...parts,
    key: validator,
    forbiddenKeys: dialect.genesis.form.forbiddenKeys,
    settings: proposeSettingsOf(config, dialect),
    dummyKey: dummyKeyOf(config),
    trustedPrograms: trustedPrograms(dialect.protocol.name),
    whyNotYet: () => whyNoRoom() ?? catchUp.reason,
    whyNoRoom,
    announce: ({ hash, sender }) => {
      const content = encodePacket("BlockHashMessage", { hash, blockCreator: sender });
      void network()?.broadcast("BlockHashMessage", content);
    },
    emit: (event) => {
      meters.onProposeEvent(event);
      development?.onProposeEvent(event);
      if (event.type === "deployReceived") parts.onDeployTaken(event.deploy);
      if (event.type === "blockCreated") parts.onBlockCreated(event.block);
      const line = lineOf(proposeLines, event);
      if (line !== undefined) log(line);
    },
    ...(development?.clock ?? machineClock),
    takesUnsigned: development !== undefined,
    // A development chain has no other users to protect.
    sendersWait: development === undefined,
    longestDeployMs: development?.longestDeployMs,
  });
}

/** Key that signs filler deploys in dev mode. @spec 40 §9.5, 50 §5.3 */
function dummyKeyOf(config: Config): DeployKey | undefined {
  const text = config["dev.deployer-private-key"];
  if (!config["dev-mode"] || text === undefined || !/^[0-9a-fA-F]{64}$/.test(text)) return undefined;
  const privateKey = fromHex(text);
  if (!isSecp256k1PrivateKey(privateKey)) return undefined;
  return { algorithm: blockAlgorithm, privateKey, publicKey: secp256k1PublicKeyOf(privateKey) };
}

/** Any address: what differs between two uses of a program does not count. */
const anyAddress = "11112XQXMFMsncUo58BXjncucQ1i679zFJutMiDSGcTDXNNn12RHqN";

/** The programs of wallets: what they do does not depend on the texts and numbers in them. @spec 40 §9.5 */
function trustedPrograms(dialect: NetworkDialect): readonly string[] {
  return [
    transferTerm(anyAddress, anyAddress, 1n, dialect),
    transferWithResultTerm(anyAddress, anyAddress, 1n, dialect),
    bondTerm(1n, dialect),
    unbondTerm(dialect),
  ];
}
