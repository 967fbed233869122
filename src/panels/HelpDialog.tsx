// The keyboard map: only keys that work.

import type { ReactNode } from "react";
import { Dialog, Key } from "./bits.tsx";
import { useDispatch, useSelect } from "./page.ts";

const KEYS: readonly (readonly [group: string, rows: readonly (readonly [keys: readonly string[], does: string])[]])[] = [
  [
    "Time axis",
    [
      [["W", "S"], "zoom in, zoom out; also ↑ ↓ and Ctrl+wheel"],
      [["A", "D"], "earlier, later; also Shift with ← →"],
      [["0"], "whole run"],
      [["F"], "centre the selection or the playhead; again to fit"],
    ],
  ],
  [
    "Area",
    [
      [["drag"], "selects a stretch and CPUs; on the ruler: all CPUs"],
      [["M"], "the area of the selected wake-up: its wait on its CPU"],
      [["⇧ drag"], "earlier, later; on the ruler: moves the playhead"],
    ],
  ],
  [
    "Markers",
    [
      [["⇧ A", "⇧ B"], "marker “from”, marker “to” at the playhead; the ruler shows what lies between"],
      [["Del"], "remove the markers"],
    ],
  ],
  [
    "Steps",
    [
      [["→"], "next step; also PgDn"],
      [["←"], "step before; also PgUp"],
    ],
  ],
  [
    "Playing",
    [
      [["Space"], "play, pause"],
      [["J", "K"], "one event back, one event on"],
      [[",", "."], "the same on one CPU: the one pointed at or focused, or the selected wake-up's"],
      [["-", "="], "slower, faster"],
    ],
  ],
  [
    "Wake-ups",
    [
      [["L"], "worst wake-up, then the next worst"],
      [["⇧ L"], "the one before"],
      [["Esc"], "clear the area, then the markers, then the selection"],
    ],
  ],
  [
    "Comparison",
    [
      [["\\"], "both sides, or one"],
      [["⇧ \\"], "A beside B, or A over B"],
      [["X"], "A and B exchange what they run"],
      [["⇧ X"], "first instant at which A and B differ"],
      [["Tab ⇥"], "moves between controls"],
      [["Ctrl Z"], "undo a knob; Ctrl+Shift+Z to redo"],
      [["Ctrl ↵"], "the next seed on both sides"],
    ],
  ],
  [
    "Page",
    [
      [["B"], "switches and results: hide, show"],
      [["Q"], "answers: hide, show"],
      [["P"], "projector theme on, off"],
      [["Ctrl S"], "save the scenario as a file"],
      [["Ctrl ⇧ S"], "save a picture or a film"],
      [["?"], "this help"],
    ],
  ],
];

export default function HelpDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  return (
    <Dialog title="Keyboard" onClose={onClose} testId="help" wide>
      <div className="help-groups">
        {KEYS.map(([group, rows]) => (
          <section key={group}>
            <h3>{group}</h3>
            <dl>
              {rows.map(([keys, does]) => (
                <div key={does} className="help-row">
                  <dt>
                    {keys.map((key) => (
                      <Key key={key}>{key}</Key>
                    ))}
                  </dt>
                  <dd>{does}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <DragSetting />
      <LettersSetting />
      <p className="muted">
        Letters are where they lie on a QWERTY keyboard, whatever is printed on yours. None of them works while you type in a field.
      </p>
    </Dialog>
  );
}

function DragSetting(): ReactNode {
  const pans = useSelect((state) => state.drag === "pan");
  const dispatch = useDispatch();
  return (
    <label className="help-setting">
      <input
        type="checkbox"
        checked={pans}
        data-testid="drag-pans"
        onChange={() => dispatch({ type: "drag_set", drag: pans ? "area" : "pan" })}
      />{" "}
      A drag with the mouse pans, and Shift+drag selects
    </label>
  );
}

function LettersSetting(): ReactNode {
  const on = useSelect((state) => state.letters);
  const dispatch = useDispatch();
  return (
    <label className="help-setting">
      <input type="checkbox" checked={on} data-testid="letters-on" onChange={() => dispatch({ type: "letters_set", on: !on })} /> Keys of
      one letter or sign act; without them, arrows, Space, Esc, Del, PgUp, PgDn and keys with Ctrl do
    </label>
  );
}
