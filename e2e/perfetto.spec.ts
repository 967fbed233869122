// "Open in Perfetto": a page of the test takes Perfetto's place. It answers and keeps what it is
// given.

import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "@playwright/test";
import { expect, QUICK, test as base, type Lab } from "./support/lab.ts";
import { openFormat, openRunFiles, savedRun } from "./support/runs-out.ts";

interface Given {
  readonly from: string;
  readonly text: string;
  readonly title: string;
  readonly fileName: string;
  readonly url: string;
}

/** What the page of the test remembers. */
interface Talk {
  pings: number;
  readonly given: Given[];
}

declare global {
  interface Window {
    talk?: Talk;
  }
}

/** A page that talks as Perfetto does. */
const ANSWERS = `<!doctype html><title>Perfetto</title><script>
  window.talk = { pings: 0, given: [] };
  addEventListener("message", ({ data, origin, source }) => {
    if (source !== window.opener) return;
    if (data === "PING") {
      talk.pings += 1;
      source.postMessage("PONG", origin);
    } else {
      const { buffer, title, fileName, url } = data.perfetto;
      talk.given.push({ from: origin, text: new TextDecoder().decode(buffer), title, fileName, url });
    }
  });
</script>`;

async function served(answer: (server: Server) => void): Promise<[Server, string]> {
  const server = createServer();
  answer(server);
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  return [server, `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`];
}

/** `there`: answers itself. `elsewhere`: another origin, which sends its visitors there. */
const test = base.extend<{ readonly perfetto: { there: string; elsewhere: string } }>({
  // eslint-disable-next-line no-empty-pattern -- Playwright reads what a fixture asks for from it
  perfetto: async ({}, use) => {
    const [server, there] = await served((each) =>
      each.on("request", (_, response) =>
        response.setHeader("Content-Type", "text/html").end(ANSWERS),
      ),
    );
    const [redirects, elsewhere] = await served((each) =>
      each.on("request", (_, response) => response.writeHead(302, { Location: there }).end()),
    );
    await use({ there, elsewhere });
    server.close();
    redirects.close();
  },
});

async function openAt(lab: Lab, address: string): Promise<void> {
  await lab.open(QUICK);
  await openRunFiles(lab);
  await openFormat(lab, "ftrace");
  await lab.get("run-perfetto-more").click();
  await lab.get("run-perfetto-address").fill(address);
}

async function pressed(lab: Lab): Promise<Page> {
  const [opened] = await Promise.all([
    lab.page.waitForEvent("popup"),
    lab.get("run-perfetto").click(),
  ]);
  return opened;
}

test("the page that answers gets the file that Save saves, once, with its name and the link", async ({
  lab,
  perfetto,
}) => {
  await openAt(lab, perfetto.there);
  const opened = await pressed(lab);
  await expect(lab.get("picture-said")).toContainText(
    `${new URL(perfetto.there).origin} has the trace.`,
  );
  await opened.waitForFunction(() => window.talk?.given.length === 1);
  const given = await opened.evaluate(() => window.talk?.given ?? []);
  await opened.close();
  const file = await savedRun(lab, "rt-pull-herd-a-ftrace.txt");
  expect(given).toEqual([
    {
      from: new URL(lab.page.url()).origin,
      text: file.toString("utf8"),
      title: "rt-pull-herd-a-ftrace.txt",
      fileName: "rt-pull-herd-a-ftrace.txt",
      url: expect.stringContaining("/s/rt-pull-herd/#v=") as string,
    },
  ]);
});

test("an answer of another origin is ignored, and waiting can be cancelled", async ({
  lab,
  perfetto,
}) => {
  await openAt(lab, perfetto.elsewhere);
  const opened = await pressed(lab);
  await opened.waitForFunction(() => (window.talk?.pings ?? 0) >= 3);
  await expect(lab.get("picture")).toContainText(
    `Waiting for an answer from ${new URL(perfetto.elsewhere).origin}`,
  );
  await lab.get("picture-cancel").click();
  await expect(lab.get("picture-said")).toContainText("Cancelled.");
  expect(await opened.evaluate(() => window.talk?.given)).toEqual([]);
  await opened.close();
});

test("a window that is closed, or that the browser blocks, is named with the way out", async ({
  lab,
  perfetto,
}) => {
  await openAt(lab, perfetto.elsewhere);
  await (await pressed(lab)).close();
  await expect(lab.get("picture-error")).toContainText(
    `Perfetto did not get the trace: the window of ${new URL(perfetto.elsewhere).origin} is closed`,
  );
  await lab.page.evaluate(() => (window.open = () => null));
  await lab.get("run-perfetto").click();
  await expect(lab.get("picture-error")).toContainText("Allow pop-ups for this page");
});

test("nothing opens without a press, a wrong address opens nothing, and the address is kept", async ({
  lab,
  perfetto,
}) => {
  const opened: Page[] = [];
  lab.page.on("popup", (page) => opened.push(page));
  await openAt(lab, "javascript:alert(1)");
  await expect(lab.get("run-perfetto")).toBeDisabled();
  await expect(lab.get("picture")).toContainText("Expected https:// or http:// in front");
  await lab.get("run-perfetto-address").fill(perfetto.there);
  await expect(lab.get("run-perfetto")).toBeEnabled();
  await savedRun(lab, "rt-pull-herd-a-ftrace.txt");
  await lab.page.reload();
  await lab.whenIdle();
  await openRunFiles(lab);
  await openFormat(lab, "ftrace");
  await expect(lab.get("picture")).toContainText(`Opens ${new URL(perfetto.there).origin}`);
  await lab.get("run-perfetto-more").click();
  await expect(lab.get("run-perfetto-address")).toHaveValue(perfetto.there);
  expect(opened).toEqual([]);
  await lab.get("picture").getByRole("button", { name: "Use https://ui.perfetto.dev/" }).click();
  await expect(lab.get("run-perfetto-address")).toHaveValue("https://ui.perfetto.dev/");
});
