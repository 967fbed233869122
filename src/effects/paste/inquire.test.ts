import { beforeAll, expect, test } from "vitest";
import { DriverOnBench, loadEngine } from "../../engine/testing.ts";
import type { EngineClient, RunListener, RunRequest } from "../../engine/protocol.ts";
import type { PasteReader } from "../../engine/paste.ts";
import type { Known } from "../../engine/paste-protocol.ts";
import { loadPasteReader, pasteReader } from "../../testing/read-text.ts";
import { inquire, type Found, type Tools } from "./inquire.ts";

beforeAll(() => {
  loadEngine();
  loadPasteReader();
});

/** An engine without a worker: a run is over before `start` returns. */
class BenchEngine implements EngineClient {
  runs = 0;
  disposed = false;

  start(request: RunRequest, listener: RunListener): void {
    this.runs += 1;
    const bench = new DriverOnBench();
    bench.start(this.runs, request);
    for (const message of bench.finish())
      if (message.type === "finished") listener.onFinished(message.report, message.limit);
      else if (message.type === "scenario_error") listener.onScenarioError(message.error);
  }

  cancel(): void {
    this.disposed = true;
  }

  dispose(): void {
    this.disposed = true;
  }
}

function toolsOf(engine: EngineClient, reader: PasteReader = pasteReader()): Tools {
  return {
    open: async () => Promise.resolve(reader),
    engine: () => engine,
    pause: async () => Promise.resolve(),
  };
}

/** All that is said of a text until it is over, or refused. */
async function saidOf(text: string, tools: Tools): Promise<readonly (Found | string)[]> {
  const said: (Found | string)[] = [];
  await new Promise<void>((resolve) => {
    inquire(
      text,
      {},
      {
        onFound: (found) => {
          said.push(found);
          if (found.stage === "over") resolve();
        },
        onRefused: (why) => {
          said.push(why);
          resolve();
        },
      },
      tools,
    );
  });
  return said;
}

const COUNTED = [
  "cpu.max 100000 100000",
  "nr_periods 600\nnr_throttled 300\nthrottled_usec 60000000\nusage_usec 43630000",
  "nproc 4",
].join("\n");

test("counters are answered by runs: what the text says comes first, then the limit, then settings that keep it", async () => {
  const engine = new BenchEngine();
  const said = await saidOf(COUNTED, toolsOf(engine));
  const [first, last] = [said[0], said.at(-1)] as readonly [Found, Found];
  expect(first).toMatchObject({ stage: "fitting", runs: 0, read: { fit: null } });
  expect(first.read.says.join(" ")).toContain("throttled in 50.0 % of its periods");
  expect(last).toMatchObject({ stage: "over", problem: "" });
  expect(last.read.fit?.program?.off).toBeLessThanOrEqual(1);
  expect(last.read.fit?.limit?.low_us).toBeGreaterThan(100_000);
  expect(last.answer?.rows.length).toBeGreaterThan(0);
  expect(last.runs).toBe(engine.runs);
  expect(engine.disposed).toBe(true);
});

test("a text without counters makes no run", async () => {
  const engine = new BenchEngine();
  const said = await saidOf("preempt=lazy", toolsOf(engine));
  expect(said).toMatchObject([{ stage: "over", read: { fit: null } }]);
  expect(engine.runs).toBe(0);
});

test("a text that is too long is refused with its length; nothing is heard of one that was ended", async () => {
  const tools = toolsOf(new BenchEngine());
  expect(await saidOf("x\n".repeat(30_000), tools)).toEqual([expect.stringContaining("30000")]);
  const ended: unknown[] = [];
  const hear = (said: unknown): void => void ended.push(said);
  inquire(COUNTED, {}, { onFound: hear, onRefused: hear }, tools)();
  await saidOf("preempt=lazy", tools);
  expect(ended).toEqual([]);
});

test("a run that fails is said beside what is known", async () => {
  const broken: EngineClient = {
    start: (_, listener) => listener.onFault("the worker ended", "", "ended"),
    cancel: () => undefined,
    dispose: () => undefined,
  };
  const said = await saidOf(COUNTED, toolsOf(broken));
  const last = said.at(-1) as Found;
  expect(last.problem).toContain("the worker ended");
  expect(last.read.says.length).toBeGreaterThan(0);
});

test("a reader that cannot be fetched says why", async () => {
  const tools: Tools = {
    ...toolsOf(new BenchEngine()),
    open: async () => Promise.reject<Known & PasteReader>(new Error("404 for paste.wasm")),
  };
  expect(await saidOf(COUNTED, tools)).toEqual(["404 for paste.wasm"]);
});
