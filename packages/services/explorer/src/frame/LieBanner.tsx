import { Link } from "@tanstack/react-router";
import { Notice } from "../part/Card.js";
import { Text } from "../part/Text.js";
import { useVerification } from "../verify/useVerification.js";

/** Shown on every page as soon as this browser has found a lie of the node. */
export function LieBanner() {
  const { lies } = useVerification();
  if (lies.length === 0) return null;
  return (
    <Notice tone="bad">
      <p>
        <strong>This node’s answers contradict what your browser has verified.</strong>{" "}
        <Text of={[...new Set(lies.map(({ field }) => field))].join(", ")} />
      </p>
      <Link to="/explorer/verification">What shows it</Link>
    </Notice>
  );
}
