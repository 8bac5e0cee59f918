import type { DeployStatus } from "@vedette/client";
import { Badge } from "../../part/Badge.js";
import { Card } from "../../part/Card.js";
import { Text } from "../../part/Text.js";

/** Shows a deploy's output on the node. */
export function Prints({ of: { prints, isNoteCut } }: { readonly of: DeployStatus["blocks"][number] }) {
  if (prints === null || prints.length === 0) return null;
  return (
    <Card title="Output" aside={isNoteCut ? <Badge tone="wait">cut: there was more</Badge> : undefined}>
      <PrintLines of={prints} />
    </Card>
  );
}

/** Lines of a program's output. */
export function PrintLines({ of }: { readonly of: readonly { readonly stream: string; readonly text: string }[] }) {
  return (
    <pre className="code plain">
      {of.map(({ stream, text }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same line may come twice
        <div key={index} className={stream === "stderr" ? "stderr" : undefined}>
          <Text of={text} />
        </div>
      ))}
    </pre>
  );
}
