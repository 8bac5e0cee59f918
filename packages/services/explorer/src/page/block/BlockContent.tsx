import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Notice, QueryView } from "../../part/Card.js";
import { Copy, Hex } from "../../part/Hash.js";
import { Table } from "../../part/Table.js";
import { Text } from "../../part/Text.js";
import { printBytes, printWhole } from "../../text/numbers.js";
import { type BlockEvent, readBlock } from "./readBlock.js";

/** Shows the parts that only the block's own bytes contain; they are read and hashed here. */
export function BlockContent({ hash }: { readonly hash: string }) {
  const query = useQuery({
    queryKey: ["blockBytes", hash],
    queryFn: ({ signal }) => readBlock(hash, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <QueryView query={query}>
      {({ isOwnHash, systemDeploys, logs, bytes }) => (
        <div className="card-body stack">
          {isOwnHash ? (
            <Notice tone="good">
              <strong>These bytes are the block's.</strong> Their hash, made here in your browser, is its name.
            </Notice>
          ) : (
            <Notice tone="bad">
              <strong>These bytes are not the block's.</strong> Their hash is not its name: do not believe what follows.
            </Notice>
          )}
          <div>
            <h3>System deploys</h3>
            <ul>
              {systemDeploys.map(({ kind, error, events }, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: their order alone distinguishes them
                <li key={index}>
                  <code>{kind}</code>{" "}
                  <span className="muted">
                    {printWhole(events)} events{error === "" ? "" : ", failed: "}
                  </span>
                  <Text of={error} />
                </li>
              ))}
            </ul>
            {systemDeploys.length === 0 && <p className="muted">None.</p>}
          </div>
          <Events logs={logs} />
          <Bytes hex={bytes} />
        </div>
      )}
    </QueryView>
  );
}

const eventsAtOnce = 100;

function Events({ logs }: { readonly logs: readonly BlockEvent[] }) {
  const [shown, setShown] = useState(eventsAtOnce);
  return (
    <div>
      <h3>
        Event log <span className="muted number">{printWhole(logs.length)}</span>
      </h3>
      <Table head={["Of", "Kind", "Hash", "Channels"]}>
        {logs.slice(0, shown).map(({ of, kind, hash, channels, isPersistent }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same event may occur there twice
          <tr key={index}>
            <td>{of}</td>
            <td>
              <code>{kind}</code> {isPersistent && <span className="muted">persistent</span>}
            </td>
            <td>
              <Hex of={hash} what="event hash" />
            </td>
            <td>
              <span className="chips">
                {channels.map((channel) => (
                  <Hex key={channel} of={channel} what="channel hash" hasCopy={false} />
                ))}
              </span>
            </td>
          </tr>
        ))}
      </Table>
      {shown < logs.length && (
        <button type="button" className="button small" onClick={() => setShown(shown * 10)}>
          Load the rest
        </button>
      )}
    </div>
  );
}

const bytesAtFirst = 1_024;

function Bytes({ hex }: { readonly hex: string }) {
  const [shown, setShown] = useState(bytesAtFirst);
  return (
    <div>
      <h3>
        Bytes <span className="muted">{printBytes(hex.length / 2)}</span> <Copy text={hex} what="bytes" />
      </h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and so has to be reachable by keyboard */}
      <pre className="code plain" tabIndex={0}>
        {hex.slice(0, 2 * shown).replaceAll(/../g, "$& ")}
      </pre>
      {2 * shown < hex.length && (
        <button type="button" className="button small" onClick={() => setShown(shown * 16)}>
          Load the rest
        </button>
      )}
    </div>
  );
}
