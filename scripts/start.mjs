// `npm start`: set up, build, serve the built site on loopback and open it where there is a
// desktop. `-- --port N` chooses the port, `-- --no-open` leaves the browser alone.

import { spawn } from "node:child_process";
import { join } from "node:path";
import { buildSite } from "./build.mjs";
import { ROOT, main, say } from "./lib/run.mjs";
import { portOf, serve } from "./serve.mjs";
import { setUp } from "./set-up/setup.mjs";

await main(
  async (given) => {
    const port = given.port === undefined ? undefined : portOf(given.port);
    await setUp();
    say("building the page");
    // The others are drawn beside the page: they take minutes.
    await buildSite({ pictures: ["rt-pull-herd"], found: true });
    const { address } = await serve(port === undefined ? {} : { port });
    say(`open ${address} (Ctrl-C stops it)`);
    if (!given["no-open"] && hasDesktop()) openBrowser(address);
    drawTheRest();
  },
  { port: "N", "no-open": "" },
);

/** In a process of its own: drawing would keep the server from answering. It ends with this one. */
function drawTheRest() {
  const child = spawn(process.execPath, [join(ROOT, "scripts", "pictures", "rest.mjs")], {
    stdio: "inherit",
  });
  child.on("error", (error) => say(`the other pictures could not be drawn: ${error.message}`));
  for (const signal of ["SIGINT", "SIGTERM"])
    process.once(signal, () => {
      child.kill();
      process.exit();
    });
}

function hasDesktop() {
  if (process.env["CI"] !== undefined || process.env["SSH_CONNECTION"] !== undefined) return false;
  if (process.platform === "win32" || process.platform === "darwin") return true;
  return Boolean(process.env["DISPLAY"] ?? process.env["WAYLAND_DISPLAY"]);
}

function openBrowser(address) {
  const [command, args] =
    process.platform === "win32"
      ? ["cmd", ["/c", "start", "", address]]
      : [process.platform === "darwin" ? "open" : "xdg-open", [address]];
  const child = spawn(command, args, { stdio: "ignore", detached: true });
  // The address is printed; a desktop without an opener is no failure.
  child.on("error", () => undefined);
  child.unref();
}
