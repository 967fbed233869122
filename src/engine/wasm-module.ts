// A wasm module of the site: fetched and compiled when it is first asked for. Knows addresses and
// the browser; it does not know what is in a module.

import type { Blame } from "./protocol.ts";

/** Why there is no engine. */
export class NoEngine extends Error {
  readonly blame: Blame;

  constructor(blame: Blame, message: string) {
    super(message);
    this.blame = blame;
  }
}

/** A module that is fetched when it is first asked for. */
export class WasmModule {
  readonly #url: string;
  readonly #name: string;
  #compiled: Promise<WebAssembly.Module> | undefined;

  constructor(url: string, name: string) {
    this.#url = url;
    this.#name = name;
  }

  get(): Promise<WebAssembly.Module> {
    this.#compiled ??= this.#compile().catch((error: unknown) => {
      this.#compiled = undefined; // The next to ask tries again: the network may be back.
      throw error;
    });
    return this.#compiled;
  }

  async #compile(): Promise<WebAssembly.Module> {
    if (!("WebAssembly" in globalThis))
      throw new NoEngine("browser", "This browser has no WebAssembly, or it is switched off.");
    const lost = (why: string): NoEngine =>
      new NoEngine("network", `${this.#name} could not be loaded: ${why}`);
    const response = await fetch(this.#url).catch((error: unknown) =>
      Promise.reject(lost(messageOf(error))),
    );
    if (!response.ok) throw lost(`${String(response.status)} for ${this.#url}`);
    const streams = response.headers.get("Content-Type")?.startsWith("application/wasm") ?? false;
    try {
      // A host that does not know the type still serves the bytes.
      return await (streams
        ? WebAssembly.compileStreaming(response)
        : WebAssembly.compile(await response.arrayBuffer()));
    } catch (error) {
      if (!(error instanceof WebAssembly.CompileError)) throw lost(messageOf(error));
      throw new NoEngine(
        "browser",
        `This browser does not compile ${this.#name}: ${error.message}`,
      );
    }
  }
}

/** The words of whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
