import { useChain } from "../../data/useChain.js";
import { Card, Empty, Loading, PageHead } from "../../part/Card.js";
import { DeployRows } from "../../part/DeployRows.js";

/** The newest deploys, as they are taken into blocks. */
export function DeploysPage() {
  const { deploys, connection } = useChain();
  return (
    <>
      <PageHead
        title="Deploys"
        about="The newest, as they come into blocks. Older ones stand with their block and with the account that signed them."
      />
      <Card>
        {deploys.length > 0 && <DeployRows deploys={deploys} />}
        {deploys.length === 0 && (connection === "live" ? <Empty>No deploy lately.</Empty> : <Loading lines={8} />)}
      </Card>
    </>
  );
}
