// The text side: a CodeMirror editor for JSON in the page's colours. All changes, typed, from the
// form or by drag, are its transactions, so there is one history. It lives in a shadow tree, so all
// its styles are here.

import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, isolateHistory } from "@codemirror/commands";
import { json } from "@codemirror/lang-json";
import {
  bracketMatching,
  foldGutter,
  foldKeymap,
  HighlightStyle,
  indentOnInput,
  syntaxHighlighting,
} from "@codemirror/language";
import { lintGutter, lintKeymap, setDiagnostics, type Diagnostic } from "@codemirror/lint";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import type { Extension, Transaction } from "@codemirror/state";
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  hoverTooltip,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";
import type { ScenarioError } from "../../engine/gen/types.ts";
import { plainText } from "../../engine/plain.ts";
import { completeScenario, explain } from "./assist.ts";
import type { Change } from "./edits.ts";
import { fixesFor, placeOf, type Fix } from "./fixes.ts";

const COLOURS = HighlightStyle.define([
  { tag: tags.propertyName, color: "var(--text)", fontWeight: "600" },
  { tag: tags.string, color: "var(--link)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--thread)" },
  { tag: [tags.punctuation, tags.comment], color: "var(--muted)" },
  { tag: tags.invalid, color: "var(--error)" },
]);

const LOOK = EditorView.theme({
  "&": {
    height: "100%",
    backgroundColor: "var(--bg)",
    color: "var(--text)",
    fontSize: "0.8125rem",
  },
  "&.cm-focused": { outline: "2px solid var(--focus)", outlineOffset: "-2px" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.55" },
  ".cm-content": { caretColor: "var(--text)" },
  ".cm-cursor": { borderLeftColor: "var(--text)", borderLeftWidth: "2px" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground":
    {
      backgroundColor: "color-mix(in srgb, var(--focus) 28%, transparent)",
    },
  ".cm-activeLine, .cm-activeLineGutter": {
    backgroundColor: "color-mix(in srgb, var(--raised) 55%, transparent)",
  },
  ".cm-gutters": {
    backgroundColor: "var(--surface)",
    color: "var(--muted)",
    borderRight: "1px solid var(--rule)",
  },
  ".cm-matchingBracket, &.cm-focused .cm-matchingBracket": {
    backgroundColor: "transparent",
    outline: "1px solid var(--edge)",
  },
  // A partner far away is not looked for, which says nothing about the text: what is wrong with it
  // the reader says.
  ".cm-nonmatchingBracket, &.cm-focused .cm-nonmatchingBracket": { backgroundColor: "transparent" },
  ".cm-selectionMatch, .cm-searchMatch": {
    backgroundColor: "color-mix(in srgb, var(--warn) 24%, transparent)",
  },
  ".cm-foldPlaceholder": {
    backgroundColor: "var(--raised)",
    color: "var(--muted)",
    border: "1px solid var(--rule)",
  },
  ".cm-tooltip": {
    backgroundColor: "var(--raised)",
    color: "var(--text)",
    border: "1px solid var(--edge)",
    borderRadius: "0.375rem",
  },
  ".cm-tooltip-autocomplete > ul > li[aria-selected]": {
    backgroundColor: "var(--accent)",
    color: "var(--on-accent)",
  },
  ".cm-tooltip-autocomplete > ul": {
    fontFamily: "var(--mono)",
    fontSize: "0.8125rem",
    maxHeight: "16em",
  },
  ".cm-completionDetail": { color: "inherit", fontStyle: "normal", opacity: "0.8" },
  ".cm-completionMatchedText": { textDecoration: "none", fontWeight: "700" },
  ".cm-completionIcon": { display: "none" },
  ".cm-completionInfo": { maxWidth: "24rem", padding: "0.5rem 0.75rem" },
  ".cm-tooltip-hover .editor-card": { maxWidth: "28rem", padding: "0.5rem 0.75rem" },
  ".editor-card": { fontFamily: "var(--font)", fontSize: "0.8125rem", lineHeight: "1.4" },
  ".editor-card p": { margin: "0.25rem 0 0" },
  ".cm-panels": {
    backgroundColor: "var(--surface)",
    color: "var(--text)",
    borderColor: "var(--rule)",
  },
  ".cm-textfield": {
    backgroundColor: "var(--bg)",
    color: "var(--text)",
    border: "1px solid var(--edge)",
  },
  ".cm-button": {
    backgroundImage: "none",
    backgroundColor: "var(--raised)",
    color: "var(--text)",
    border: "1px solid var(--edge)",
  },
  ".cm-diagnostic": {
    padding: "0.375rem 0.625rem",
    borderLeftColor: "var(--error)",
    fontFamily: "var(--font)",
  },
  ".cm-diagnosticAction": {
    backgroundColor: "var(--accent)",
    color: "var(--on-accent)",
    minHeight: "1.5rem",
    borderRadius: "0.375rem",
  },
  ".cm-lintRange-error": {
    backgroundImage: "none",
    textDecoration: "underline wavy var(--error)",
    textUnderlineOffset: "3px",
  },
  ".cm-specialChar": { color: "var(--error)" },
});

/**
 * Typing over a selection is the editor's own change: the browser gives the new text the style of
 * the old one in an attribute, which the content security policy refuses and logs.
 */
const TYPE_OVER = EditorView.domEventHandlers({
  beforeinput({ inputType, data, isComposing }, view) {
    const { state } = view;
    const { main } = state.selection;
    if (inputType !== "insertText" || data === null || isComposing || main.empty) return false;
    const typed = (): Transaction =>
      state.update(state.replaceSelection(data), { userEvent: "input.type", scrollIntoView: true });
    // Brackets close themselves around a selection.
    const handled = state
      .facet(EditorView.inputHandler)
      .some((handler) => handler(view, main.from, main.to, data, typed));
    if (!handled) view.dispatch(typed());
    return true;
  },
});

/** What the page hears of its editor and asks of it. */
export interface CodeHost {
  readonly changed: (view: EditorView) => void;
  readonly label: string;
}

export function extensionsFor({ changed, label }: CodeHost): Extension {
  return [
    lineNumbers(),
    highlightActiveLineGutter(),
    highlightSpecialChars(),
    history(),
    foldGutter(),
    drawSelection(),
    indentOnInput(),
    bracketMatching(),
    closeBrackets(),
    highlightActiveLine(),
    EditorView.lineWrapping,
    highlightSelectionMatches(),
    search({ top: true }),
    lintGutter(),
    json(),
    syntaxHighlighting(COLOURS),
    autocompletion({
      override: [completeScenario],
      icons: false,
      tooltipClass: () => "editor-completions",
    }),
    hoverTooltip(explain),
    keymap.of([
      ...closeBracketsKeymap,
      ...defaultKeymap,
      ...searchKeymap,
      ...historyKeymap,
      ...foldKeymap,
      ...completionKeymap,
      ...lintKeymap,
    ]),
    LOOK,
    TYPE_OVER,
    EditorView.contentAttributes.of({
      "aria-label": label,
      "data-testid": "scenario-editor-text",
      spellcheck: "false",
      tabindex: "0",
    }),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) changed(update.view);
    }),
  ];
}

/** Makes changes that are one step of the history of their own, and shows the place. */
export function change(view: EditorView, changes: readonly Change[]): void {
  const first = changes[0];
  if (first === undefined) return;
  view.dispatch({
    changes: [...changes],
    userEvent: "input.form",
    annotations: isolateHistory.of("full"),
    effects: EditorView.scrollIntoView(first.from, { y: "nearest", yMargin: 40 }),
  });
}

/** Marks what the reader refuses, with its fixes; without an error the text is clean. */
export function showError(view: EditorView, error: ScenarioError | undefined, words: string): void {
  if (error === undefined) {
    view.dispatch(setDiagnostics(view.state, []));
    return;
  }
  const text = view.state.doc.toString();
  const diagnostic: Diagnostic = {
    ...placeOf(text, error),
    severity: "error",
    message: words,
    actions: fixesFor(text, error).map(({ label, changes }: Fix) => ({
      name: plainText(label),
      apply: () => change(view, changes),
    })),
  };
  view.dispatch(setDiagnostics(view.state, [diagnostic]));
}

/** Puts the caret where an error is. */
export function goTo(view: EditorView, error: ScenarioError): void {
  const { from, to } = placeOf(view.state.doc.toString(), error);
  view.dispatch({
    selection: { anchor: from, head: to },
    effects: EditorView.scrollIntoView(from, { y: "center" }),
  });
  view.focus();
}
