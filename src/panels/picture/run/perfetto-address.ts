// Where Perfetto's page is: the project's own, or the address that a person keeps in this browser.

import { keepChoice, keptChoice } from "../../../effects/storage/stored-choice.ts";

export const PERFETTO = "https://ui.perfetto.dev/";

const NAME = "perfetto";
const LENGTH_MAX = 2_000;

/** An address that can be opened, or what is wrong with the text and how to mend it. */
export type Checked = { readonly url: URL } | { readonly wrong: string };

export function checkedAddress(text: string): Checked {
  const url = urlOf(text.trim());
  if (url === undefined || text.length > LENGTH_MAX)
    return { wrong: `Expected an address such as ${PERFETTO} or http://127.0.0.1:10000/.` };
  if (url.protocol !== "https:" && url.protocol !== "http:")
    return { wrong: `Expected https:// or http:// in front, found ${url.protocol}` };
  if (url.username !== "" || url.password !== "")
    return { wrong: "Expected an address without a user’s name and password." };
  return { url };
}

function urlOf(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

/** The kept address; Perfetto's own where none is kept, or what is kept is no such address. */
export function keptAddress(root: string, storage: () => Pick<Storage, "getItem">): string {
  const kept = keptChoice(root, storage, NAME);
  return kept !== null && "url" in checkedAddress(kept) ? kept : PERFETTO;
}

export function keepAddress(
  root: string,
  storage: () => Pick<Storage, "setItem">,
  address: string,
): void {
  keepChoice(root, storage, NAME, address);
}
