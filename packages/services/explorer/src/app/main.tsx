import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { followMissingParts } from "../data/missingParts.js";
import { queries } from "../data/node.js";
import { liveChain } from "../data/useChain.js";
import { followTheme } from "../frame/theme.js";
import { router } from "./router.js";

followTheme();
followMissingParts();
void liveChain.follow(new AbortController().signal);

const app = document.getElementById("app")!;
app.replaceChildren();
createRoot(app).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
