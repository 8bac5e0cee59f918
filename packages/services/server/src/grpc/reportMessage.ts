import { create, type UnknownField } from "@bufbuild/protobuf";
import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { type BlockEventInfo, BlockEventInfoSchema, type LightBlockInfo } from "@vedette/api/grpc";
import type { ReportMessages } from "@vedette/queries";

/**
 * A report as a message. Its deploys are encoded already, and stay so: the message's own properties are not filled.
 *
 * @spec 50 §3.3
 */
export function reportMessage(report: ReportMessages, blockInfo: LightBlockInfo): BlockEventInfo {
  const message = create(BlockEventInfoSchema, { blockInfo });
  message.$unknown = [
    ...report.deploys.map((bytes) => fieldOf(2, bytes)),
    ...report.systemDeploys.map((bytes) => fieldOf(3, bytes)),
    fieldOf(4, report.postState),
  ];
  return message;
}

function fieldOf(no: number, bytes: Uint8Array): UnknownField {
  return { no, wireType: WireType.LengthDelimited, data: new BinaryWriter().bytes(bytes).finish() };
}
