import { Link } from "@tanstack/react-router";
import { Card, PageHead } from "../part/Card.js";

/** For addresses that are no page: where one may have wanted to go. */
export function NotFound() {
  return (
    <>
      <PageHead
        title="No such page"
        about="The address is no page of this explorer: it may be mistyped, cut off, or of another version."
      />
      <Card>
        <div className="card-body stack">
          <p>
            The search above takes what you have: a height, a hash or its beginning, the id of a deploy, an address, a
            public key, a <code>rho:</code> name, or a link of another explorer.
          </p>
          <p className="buttons">
            <Link className="button" to="/">
              The chain now
            </Link>
            <Link className="button" to="/explorer/blocks">
              Blocks
            </Link>
            <Link className="button" to="/explorer/deploys">
              Deploys
            </Link>
            <Link className="button" to="/explorer/accounts">
              Accounts
            </Link>
          </p>
        </div>
      </Card>
    </>
  );
}
