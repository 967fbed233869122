// `npm start`: set up, build, serve the built site on loopback and open it where there is a desktop.
// `-- --port N` chooses the port, `-- --no-open` leaves the browser alone.

import { spawn } from "node:child_process";
import { join } from "node:path";
import { buildSite } from "./build.mjs";
import { Explained, ROOT, main, option, say } from "./run.mjs";
import { serve } from "./serve.mjs";
import { setUp } from "./setup.mjs";

await main(async () => {
  const port = portOption();
  await setUp();
  say("building the page");
  // The others are drawn beside the page: they take minutes.
  await buildSite({ pictures: ["rt-pull-herd"], found: true });
  const { address } = await serve(port === undefined ? {} : { port });
  say(`open ${address} (Ctrl-C stops it)`);
  if (!process.argv.includes("--no-open") && hasDesktop()) openBrowser(address);
  drawTheRest();
});

/** In a process of its own: drawing would keep the server from answering. It ends with this one. */
function drawTheRest() {
  const child = spawn(process.execPath, [join(ROOT, "scripts", "rest-of-pictures.mjs")], { stdio: "inherit" });
  child.on("error", (error) => say(`the other pictures could not be drawn: ${error.message}`));
  for (const signal of ["SIGINT", "SIGTERM"])
    process.once(signal, () => {
      child.kill();
      process.exit();
    });
}

function portOption() {
  const text = option("port");
  if (text === undefined && !process.argv.includes("--port")) return undefined;
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port < 65_536) return port;
  throw new Explained(`--port wants a number from 0 to 65535, not ${text ?? "nothing"}`);
}

function hasDesktop() {
  if (process.env["CI"] !== undefined || process.env["SSH_CONNECTION"] !== undefined) return false;
  if (process.platform === "win32" || process.platform === "darwin") return true;
  return Boolean(process.env["DISPLAY"] ?? process.env["WAYLAND_DISPLAY"]);
}

function openBrowser(address) {
  const [command, args] =
    process.platform === "win32" ? ["cmd", ["/c", "start", "", address]] : [process.platform === "darwin" ? "open" : "xdg-open", [address]];
  const child = spawn(command, args, { stdio: "ignore", detached: true });
  child.on("error", () => undefined); // The address is printed; a desktop without an opener is no failure.
  child.unref();
}
