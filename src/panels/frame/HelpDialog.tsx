// The keyboard map, as a table.

import type { ReactNode } from "react";
import { Key } from "../widgets/Key.tsx";
import { Dialog } from "../widgets/Dialog.tsx";
import { useDispatch, useSelect } from "../page/page.ts";
import { KEYS } from "../palette/keymap.ts";

export default function HelpDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  return (
    <Dialog title="Keyboard" onClose={onClose} testId="help" wide>
      <div className="help-groups">
        {KEYS.map(([group, rows]) => (
          <section key={group}>
            <h3>{group}</h3>
            <dl>
              {rows.map(({ keys, does }) => (
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
        Letters are where they lie on a QWERTY keyboard, whatever is printed on yours. None of them
        works while you type in a field.
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
      <input
        type="checkbox"
        checked={on}
        data-testid="letters-on"
        onChange={() => dispatch({ type: "letters_set", on: !on })}
      />{" "}
      Keys of one letter or sign act; without them, arrows, Space, Esc, Del, PgUp, PgDn and keys
      with Ctrl do
    </label>
  );
}
