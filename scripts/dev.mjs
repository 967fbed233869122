// `npm run dev`: set up, then Vite's server with hot reloading. `-- --port N` chooses the port, `--
// --host ADDRESS` lets other machines in.

import { main } from "./lib/run.mjs";
import { portOf } from "./serve.mjs";
import { setUp } from "./set-up/setup.mjs";

await main(
  async ({ port, host }) => {
    const wanted = port === undefined ? {} : { port: portOf(port), strictPort: true };
    await setUp();
    // In a fresh clone it is not there before the packages are installed.
    const { createServer } = await import("vite");
    const server = await createServer({
      server: { ...wanted, ...(host === undefined ? {} : { host }) },
    });
    await server.listen();
    server.printUrls();
    server.bindCLIShortcuts({ print: true });
  },
  { port: "N", host: "ADDRESS" },
);
