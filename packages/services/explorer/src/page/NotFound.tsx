import { Link } from "@tanstack/react-router";
import { Card, PageHead } from "../part/Card.js";

/** For addresses that are no page: where one may have wanted to go. */
export function NotFound() {
  return (
    <>
      <PageHead
        title="No such page"
        about="The explorer has no page with this address. It may be mistyped, cut off, or of another version."
      />
      <Card>
        <div className="card-body stack">
          <p>
            The search above finds a height, a hash or its beginning, the id of a deploy, an address, a public key, a{" "}
            <code>rho:</code> name, or the object of another explorer's link.
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
