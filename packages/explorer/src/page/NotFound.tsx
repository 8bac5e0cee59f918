import { Link } from "@tanstack/react-router";
import { Card, Empty } from "../part/Card.js";

export function NotFound() {
  return (
    <Card>
      <Empty>
        There is no such page. <Link to="/">Home</Link> has the newest blocks; the search finds the rest.
      </Empty>
    </Card>
  );
}
