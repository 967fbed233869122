// The form on the page of kernel releases: what changed between two of them. Without it the page
// has every change in a table. It runs no simulation, and the address holds what was asked.

import { LAST, type RowValue } from "../engine/gen/version-rows.ts";
import { compareNumbers, numbersOf, VERSIONS, type Numbers } from "../engine/versions.ts";
import { counted } from "../lib/count.ts";
import { differences, type Difference } from "./between.ts";
import "./versions.css";

const FROM = "6.8";
const TO = "6.12.57";
const NEWEST = LAST.at(-1)?.join(".") ?? "";
const OLDEST = "2.6.24";

type Child = Node | string;

/** An element with a class, its attributes and what is in it. Texts are never read as markup. */
function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Readonly<Record<string, string>>,
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** The numbers of a release that there is. */
function release(text: string): Numbers | undefined {
  const [numbers, oldest] = [numbersOf(text.trim()), numbersOf(OLDEST)];
  if (numbers === undefined || oldest === undefined) return undefined;
  const [major, minor] = [Math.floor(numbers[0] / 256), numbers[0] % 256];
  const isKnown = LAST.some(([known, last]) => known === major && minor <= last);
  return isKnown && compareNumbers(oldest, numbers) <= 0 ? numbers : undefined;
}

function field(id: string, label: string, value: string): [HTMLElement, HTMLInputElement] {
  const input = element("input", {
    id,
    value,
    list: "releases",
    autocomplete: "off",
    spellcheck: "false",
    placeholder: "as uname -r prints it",
  });
  return [element("label", { for: id }, label, " ", input), input];
}

/** A text in which each commit is a link. */
function linked(text: string): readonly Child[] {
  return text
    .split(/\b([0-9a-f]{12})\b/)
    .map((part, at) =>
      at % 2 === 0 ? part : element("a", { href: `https://git.kernel.org/linus/${part}` }, part),
    );
}

function stepItem({ release: first, stable, source, says, seen }: RowValue): HTMLElement {
  const also = stable.length === 0 ? "" : ` and ${stable.join(", ")}`;
  const item = element("li", {}, element("strong", {}, first + also), ": ");
  if (says !== "") item.append(says, " ");
  item.append(element("span", { class: "source" }, ...linked(source)));
  if (seen !== "") item.append(element("p", {}, `You see: ${seen}`));
  return item;
}

function differenceItem({ row, from, to, steps, back }: Difference): HTMLElement {
  const command = element("p", {}, "Take it back: ", element("code", {}, back));
  return element(
    "article",
    { class: "difference" },
    element("h3", {}, element("code", {}, row.name), `: ${from} → ${to}`),
    element("p", { class: "doc" }, row.doc),
    element("ul", {}, ...steps.map(stepItem)),
    ...(back === "" ? [] : [command]),
  );
}

/** What differs, in words and as a list. */
function answer(from: string, to: string): readonly Child[] {
  const [one, other] = [release(from), release(to)];
  const wrong = [from, to].filter((text) => release(text) === undefined);
  if (one === undefined || other === undefined)
    return [
      `${wrong.map((text) => `“${text}”`).join(" and ")}: a release from ${OLDEST} to ${NEWEST} is needed, as uname -r prints it.`,
    ];
  const found = differences(one, other);
  const modelled = found.filter(({ row }) => row.modelled);
  const lacking = found.filter(({ row }) => !row.modelled);
  const older = compareNumbers(one, other) <= 0 ? [from, to] : [to, from];
  const words = `${older.join(" to ")}: ${counted(modelled.length, "change")} of the scheduler${
    lacking.length === 0 ? "" : `, and ${lacking.length} that the model lacks`
  }.`;
  return [
    element("p", {}, words),
    ...modelled.map(differenceItem),
    ...(lacking.length === 0 ? [] : [element("h3", {}, "Known, and not modelled")]),
    ...lacking.map(differenceItem),
  ];
}

function start(main: HTMLElement, before: Element | null): void {
  const asked = new URLSearchParams(location.hash.slice(1));
  const [fromLabel, from] = field("from", "From", asked.get("from") ?? FROM);
  const [toLabel, to] = field("to", "to", asked.get("to") ?? TO);
  const result = element("div", { id: "difference", "aria-live": "polite" });
  const form = element("form", { id: "compare-releases" }, fromLabel, toLabel);
  const releases = VERSIONS.map((version) => element("option", { value: version }));
  const show = (): void => result.replaceChildren(...answer(from.value, to.value));
  const settle = (): void => {
    const hash = new URLSearchParams({ from: from.value, to: to.value });
    history.replaceState(undefined, "", `#${hash.toString()}`);
  };
  form.addEventListener("input", show);
  form.addEventListener("change", settle);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    settle();
  });
  const section = element(
    "section",
    { class: "compare-releases" },
    element("h2", { id: "between-two-releases" }, "Between two releases"),
    form,
    element("datalist", { id: "releases" }, ...releases),
    result,
  );
  main.insertBefore(section, before);
  show();
}

const main = document.querySelector("main");
if (main !== null) start(main, document.querySelector("#how-much-is-known"));
