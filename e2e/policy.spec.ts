// The page's policy where script could come from: in the workers as in the page.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page, Worker } from "@playwright/test";
import { expect, QUICK, test as base } from "./support/lab.ts";

interface Foreign {
  readonly origin: string;
  /** Paths that were asked for. */
  readonly asked: readonly string[];
}

/** Another host, that anybody may read: only a policy keeps one from it. */
const test = base.extend<{ readonly foreign: Foreign }>({
  // eslint-disable-next-line no-empty-pattern -- Playwright reads which fixtures it needs off this pattern.
  foreign: async ({}, use) => {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(request.url ?? "");
      response
        .writeHead(200, { "Content-Type": "text/javascript", "Access-Control-Allow-Origin": "*" })
        .end("export default 1;");
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    await use({
      origin: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
      asked,
    });
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  },
});

/**
 * What becomes of each way to foreign code or data, where this runs. A debugger may use eval: so it
 * waits for a turn of its own first.
 */
async function attempts(origin: string): Promise<Readonly<Record<string, string>>> {
  await new Promise((turn) => setTimeout(turn));
  const outcome = async (way: () => unknown): Promise<string> => {
    const refusal = new Promise<string>((refused) =>
      addEventListener(
        "securitypolicyviolation",
        ({ effectiveDirective }) => refused(effectiveDirective),
        { once: true },
      ),
    );
    // The report of a refusal comes in a task of its own, which on a loaded machine takes long.
    const none = (): Promise<string> =>
      new Promise((late) => setTimeout(late, 10_000, "something else"));
    try {
      await way();
      return "allowed";
    } catch {
      return `refused by ${await Promise.race([refusal, none()])}`;
    }
  };
  return {
    fetch: await outcome(() => fetch(`${origin}/fetched`)),
    import: await outcome(() => import(`${origin}/imported.js`)),
    eval: await outcome(() => (0, eval)("1")),
    // eslint-disable-next-line @typescript-eslint/no-implied-eval -- What is to be refused.
    function: await outcome(() => new Function("return 1")),
    own: await outcome(() => fetch(location.origin)),
  };
}

const REFUSED = {
  fetch: "refused by connect-src",
  import: /^refused by script-src/,
  eval: /^refused by (script-src|require-trusted-types-for)/,
  function: /^refused by (script-src|require-trusted-types-for)/,
};

function expectRefused(outcomes: Readonly<Record<string, string>>, where: string): void {
  for (const [way, words] of Object.entries(REFUSED))
    expect(outcomes[way], `${way} in ${where}`).toMatch(words);
}

async function opened(page: Page): Promise<readonly Worker[]> {
  await page.goto(QUICK);
  await page.waitForFunction(() => window.schedscope !== undefined);
  await page.evaluate(() => window.schedscope?.whenIdle());
  return page.workers();
}

test("foreign fetch and import() and every eval are refused in the page and in each of its workers", async ({
  page,
  foreign,
}) => {
  const workers = await opened(page);
  expect(workers.length).toBeGreaterThanOrEqual(2);
  expectRefused(await page.evaluate(attempts, foreign.origin), "the page");
  for (const worker of workers) {
    const outcomes = await worker.evaluate(attempts, foreign.origin);
    expectRefused(outcomes, worker.url());
  }
  expect(foreign.asked, "what reached the other host").toEqual([]);
});

test("a worker from an address, which would be under no policy, is refused, and markup from text too", async ({
  page,
}) => {
  const [worker] = await opened(page);
  expect(worker?.url()).toMatch(/^blob:/);
  const outcomes = await page.evaluate(async () => {
    await new Promise((turn) => setTimeout(turn));
    const script = [...document.scripts].find(({ src }) => src !== "")?.src ?? "";
    const said = (way: () => unknown): string => {
      try {
        way();
        return "allowed";
      } catch (error) {
        return String(error);
      }
    };
    return {
      worker: said(() => new Worker(script)),
      markup: said(() => (document.createElement("p").innerHTML = "<b>bold</b>")),
      source: said(() => (document.createElement("script").src = script)),
      policy: said(() =>
        (
          window as unknown as {
            trustedTypes: { createPolicy: (name: string, rules: object) => unknown };
          }
        ).trustedTypes.createPolicy("x", {}),
      ),
    };
  });
  for (const [way, outcome] of Object.entries(outcomes))
    expect(outcome, way).toMatch(/TypeError.*(Trusted|policy|Policy)/);
});
