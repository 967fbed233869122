// `npm run bench`: rates, frame times and load times on this machine. It prints and decides
// nothing; bytes decide tests, times never do. `-- --page` measures the page alone, `-- --reader` the
// reader of scenarios alone, `-- --sweeps` sweeps on threads, processes and Dask's workers,
// `-- --against COMMIT` engine and reader of another commit beside this one's.

import { cpus } from "node:os";
import { compareEngines, measureEngine, ROUNDS, workTree } from "./bench/engine.mjs";
import { buildSite } from "./build.mjs";
import { main, say } from "./lib/run.mjs";
import { compareReaders, measureReader } from "./bench/reader.mjs";
import { measureSweeps } from "./bench/sweeps.mjs";
import { setUp } from "./set-up/setup.mjs";

await main(
  async ({ page, reader, sweeps, against }) => {
    await setUp({ browser: true });
    say(
      `best of ${ROUNDS} rounds; ${cpus().length} × ${cpus()[0]?.model ?? "CPU"}, Node ${process.versions.node}`,
    );
    if (against !== undefined) {
      const folder = await workTree(against);
      await compareReaders(folder);
      if (!reader) await compareEngines(against, folder);
      return;
    }
    if (sweeps) return measureSweeps();
    if (!page) await measureReader();
    if (reader) return;
    await buildSite();
    if (!page) await measureEngine();
    // It drives browsers through packages, which a fresh clone has once set-up is done.
    const { measurePage } = await import("./bench/built-page.mjs");
    await measurePage();
  },
  { page: "", reader: "", sweeps: "", against: "COMMIT" },
);
