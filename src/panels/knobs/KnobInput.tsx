// One control for one value, made from the knob's schema alone. It says what was chosen; where the
// value goes is its owner's.

import { useEffect, useId, useRef, useState, type ReactNode } from "react";
import type { Knob, KnobChoice, KnobValue } from "../../engine/gen/types.ts";
import {
  isCpuMax,
  parseCpuMax,
  parseTime,
  parseValue,
  readCpuMax,
  sameValue,
  valueText,
  valueWords,
  writeCpuMax,
  writeTime,
} from "../../scenario/knob-values.ts";
import { choiceDoc, useKnobDocs } from "./knob-doc.ts";

export interface KnobInputProps {
  readonly knob: Knob;
  readonly value: KnobValue;
  /** Accessible name: label and side. */
  readonly name: string;
  readonly testId: string;
  readonly disabled: boolean;
  /** For a time within a period: the value that "auto" gave, and the period. */
  readonly within?: { readonly ns: number; readonly periodNs: number } | undefined;
  /** Choices that the rest of the scenario excludes: they are not offered. */
  readonly refused?: readonly string[];
  readonly onChange: (value: KnobValue, settled: boolean) => void;
  readonly onSettle: () => void;
}

/**
 * What is offered, and the value in force even if it is refused: a control must not show what is
 * not so.
 */
function offered({ knob, value, refused = [] }: KnobInputProps): readonly KnobChoice[] {
  return (knob.choices ?? []).filter(
    (choice) => sameValue(choice.value, value) || !refused.includes(valueText(choice.value)),
  );
}

/**
 * Up to this many choices, with this many letters together, lie side by side; more go into a list.
 */
const SEGMENTS_MAX = 3;
const LETTERS_MAX = 16;

function fitsSegments(knob: Knob): boolean {
  const words = (knob.choices ?? []).map((choice) => valueText(choice.value));
  return words.length <= SEGMENTS_MAX && words.join("").length <= LETTERS_MAX;
}

export function KnobInput(props: KnobInputProps): ReactNode {
  switch (props.knob.type) {
    case "enum":
      if (props.knob.release === true) return <Releases {...props} />;
      return fitsSegments(props.knob) ? <Segmented {...props} /> : <Choices {...props} />;
    case "boolean":
      return <Switch {...props} />;
    case "integer":
      return <IntegerField {...props} />;
    case "time":
      return <TimeField {...props} />;
    case "text":
      return isCpuMax(props.knob) ? (
        <CpuMaxFields {...props} />
      ) : (
        <TextField {...props} check={(text) => parseValue(props.knob, text)} />
      );
  }
}

function Segmented(props: KnobInputProps): ReactNode {
  const { value, name, testId, disabled, onChange } = props;
  const group = useId();
  const docs = useKnobDocs();
  return (
    <div className="segmented" role="radiogroup" aria-label={name} data-testid={testId}>
      {offered(props).map((choice) => {
        const text = valueText(choice.value);
        return (
          <label key={text} className="segment" title={choiceDoc(docs, props.knob, choice)}>
            <input
              type="radio"
              name={group}
              checked={sameValue(choice.value, value)}
              disabled={disabled}
              data-testid={`${testId}-${text}`}
              onChange={() => onChange(choice.value, true)}
            />
            <span>{text.replaceAll("_", "\u200B_")}</span>
          </label>
        );
      })}
    </div>
  );
}

/** The choice of a release that is typed; no value is called so. */
const TYPED = "another release …";

/** The releases that are offered by name, and a field for any other one. */
function Releases(props: KnobInputProps): ReactNode {
  const [typing, setTyping] = useState(false);
  const { knob, onChange } = props;
  if (!typing) return <Choices {...props} onType={() => setTyping(true)} />;
  return (
    <TextField
      {...props}
      focused
      check={(text) => parseValue(knob, text)}
      onChange={(next, settled) => {
        setTyping(false);
        onChange(next, settled);
      }}
      onSettle={() => setTyping(false)}
    />
  );
}

interface ChoicesProps extends KnobInputProps {
  /** Where another value can be typed: that one wishes to. */
  readonly onType?: () => void;
}

function Choices(props: ChoicesProps): ReactNode {
  const { value, name, testId, disabled, onChange, onType } = props;
  const choices = offered(props);
  const docs = useKnobDocs();
  const isListed = choices.some((choice) => sameValue(choice.value, value));
  return (
    <select
      className="select"
      aria-label={name}
      value={valueText(value)}
      disabled={disabled}
      data-testid={testId}
      title={[valueText(value), choiceDoc(docs, props.knob, { value })].filter(Boolean).join(": ")}
      onChange={(event) => {
        const choice = choices.find((each) => valueText(each.value) === event.target.value);
        if (choice !== undefined) onChange(choice.value, true);
        else if (event.target.value === TYPED) onType?.();
      }}
    >
      {!isListed && <option value={valueText(value)}>{valueText(value)}</option>}
      {choices.map((choice) => (
        <option
          key={valueText(choice.value)}
          value={valueText(choice.value)}
          title={choiceDoc(docs, props.knob, choice)}
        >
          {valueText(choice.value)}
        </option>
      ))}
      {onType !== undefined && <option value={TYPED}>{TYPED}</option>}
    </select>
  );
}

function Switch({ value, name, testId, disabled, onChange }: KnobInputProps): ReactNode {
  const on = value === true;
  return (
    <button
      type="button"
      role="switch"
      className="switch"
      aria-checked={on}
      aria-label={name}
      disabled={disabled}
      data-testid={testId}
      onClick={() => onChange(!on, true)}
    >
      <span className="switch-thumb" />
      <span>{on ? "on" : "off"}</span>
    </button>
  );
}

function IntegerField(props: KnobInputProps): ReactNode {
  const { knob, value, name, testId, disabled, onChange, onSettle } = props;
  const [min, max] = sliderRange(knob);
  const number = typeof value === "number" ? value : min;
  const logarithmic = max / Math.max(1, min) >= 32;
  const scale = logarithmic ? logScale(Math.max(1, min), max) : linearScale(min, max);
  return (
    <div className="slider-field">
      {max - min < 100_000 && (
        <Slider
          name={name}
          testId={`${testId}-slider`}
          disabled={disabled}
          position={scale.position(number)}
          valueText={`${number}`}
          onMove={(position) => onChange(Math.round(scale.value(position)), false)}
          onSettle={onSettle}
        />
      )}
      <TextField {...props} check={(text) => parseValue(knob, text)} numeric />
    </div>
  );
}

function TimeField(props: KnobInputProps): ReactNode {
  const { knob, value, name, testId, disabled, within, onChange, onSettle } = props;
  const stated = typeof value === "string" ? parseTime(value) : undefined;
  const ns = stated ?? within?.ns;
  const min = Math.max(knob.min ?? 0, 100);
  const scale =
    within === undefined ? logScale(min, knob.max ?? 1e9) : linearScale(0, within.periodNs);
  const rounded = (time: number): number =>
    within === undefined ? twoFigures(time) : onGrid(time, within.periodNs);
  return (
    <div className="slider-field">
      <Slider
        name={name}
        testId={`${testId}-slider`}
        disabled={disabled || ns === undefined}
        position={scale.position(Math.max(ns ?? min, min))}
        valueText={
          stated === undefined && ns !== undefined
            ? valueWords(`${valueText(value)}, ${writeTime(ns)}`)
            : valueWords(value)
        }
        onMove={(position) => onChange(writeTime(rounded(scale.value(position))), false)}
        onSettle={onSettle}
      />
      <TextField {...props} words={valueWords} check={(text) => parseValue(knob, text)} />
    </div>
  );
}

/**
 * A two-thousandth of the period, and within it: 50 us in 100 ms, fine enough to walk through a
 * tick.
 */
function onGrid(ns: number, periodNs: number): number {
  const step = Math.max(1_000, periodNs / 2000);
  return Math.round(Math.min(periodNs, Math.max(step, Math.round(ns / step) * step)));
}

/**
 * Quota and period as two fields, with their text beside them. A text of another kind is shown
 * unchanged.
 */
function CpuMaxFields(props: KnobInputProps): ReactNode {
  const { knob, value, name, testId, onChange } = props;
  const max = readCpuMax(valueText(value));
  if (max === undefined) return <TextField {...props} check={(text) => parseValue(knob, text)} />;
  return (
    <span className="cpu-max">
      {(["quota", "period"] as const).map((part) => (
        <span key={part} className="cpu-max-part">
          <span aria-hidden="true">{part}</span>
          <TextField
            {...props}
            value={max[part]}
            name={`${name}, ${part}`}
            testId={`${testId}-${part}`}
            words={valueWords}
            check={(text) => parseCpuMax(part, text)}
            onChange={(next, settled) =>
              onChange(writeCpuMax({ ...max, [part]: valueText(next) }), settled)
            }
          />
        </span>
      ))}
      <code title="cpu.max: quota and period, µs" data-testid={testId}>
        {writeCpuMax(max)}
      </code>
    </span>
  );
}

/**
 * The page's slider runs over a useful part of what the schema allows; the field takes all of it.
 */
function sliderRange(knob: Knob): readonly [number, number] {
  if (knob.path === "machine.cpus") return [4, 256];
  return [knob.min ?? 0, knob.max ?? 100];
}

interface Scale {
  /** 0..1 */
  readonly position: (value: number) => number;
  readonly value: (position: number) => number;
}

function linearScale(min: number, max: number): Scale {
  return {
    position: (value) => (value - min) / (max - min || 1),
    value: (position) => min + position * (max - min),
  };
}

function logScale(min: number, max: number): Scale {
  const span = Math.log(max / min);
  return {
    position: (value) => Math.log(Math.max(value, min) / min) / span,
    value: (position) => min * Math.exp(position * span),
  };
}

/** A slider of times gives round ones. */
function twoFigures(ns: number): number {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(ns)) - 1);
  return Math.round(ns / step) * step;
}

interface SliderProps {
  readonly name: string;
  readonly testId: string;
  readonly disabled: boolean;
  readonly position: number;
  readonly valueText: string;
  readonly onMove: (position: number) => void;
  readonly onSettle: () => void;
}

const STEPS = 400;

function Slider({
  name,
  testId,
  disabled,
  position,
  valueText: spoken,
  onMove,
  onSettle,
}: SliderProps): ReactNode {
  return (
    <input
      type="range"
      className="slider"
      aria-label={name}
      aria-valuetext={spoken}
      min={0}
      max={STEPS}
      step={1}
      disabled={disabled}
      value={Math.round(Math.min(1, Math.max(0, position)) * STEPS)}
      data-testid={testId}
      onChange={(event) => onMove(Number(event.target.value) / STEPS)}
      onPointerUp={onSettle}
      onKeyUp={onSettle}
      onBlur={onSettle}
    />
  );
}

interface TextFieldProps extends KnobInputProps {
  readonly check: (text: string) => ReturnType<typeof parseValue>;
  /** The value as the field shows it; `check` reads it back. */
  readonly words?: (value: KnobValue) => string;
  readonly numeric?: boolean;
  /** Whether it is written in at once; left without a change, it settles. */
  readonly focused?: boolean;
}

/** Takes effect on Enter or when left; what is wrong is said at once, and the typed text stays. */
function TextField({
  value,
  name,
  testId,
  disabled,
  onChange,
  check,
  words = valueText,
  numeric,
  focused = false,
  onSettle,
}: TextFieldProps): ReactNode {
  const [draft, setDraft] = useState<string>();
  const errorId = useId();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (focused) field.current?.select();
  }, [focused]);
  const text = draft ?? words(value);
  const parsed = check(text);
  const commit = (): void => {
    if (draft !== undefined && !parsed.ok) return;
    setDraft(undefined);
    if (parsed.ok && !sameValue(parsed.value, value)) onChange(parsed.value, true);
    else if (focused) onSettle();
  };
  return (
    <span className="field">
      <input
        className="input"
        aria-label={name}
        aria-invalid={!parsed.ok}
        aria-describedby={parsed.ok ? undefined : errorId}
        inputMode={numeric === true ? "numeric" : "text"}
        ref={field}
        placeholder={focused ? "as uname -r prints it" : undefined}
        value={text}
        size={Math.max(5, text.length)}
        disabled={disabled}
        data-testid={testId}
        onChange={(event) => setDraft(event.target.value)}
        onBlur={commit}
        onKeyDown={(event) => {
          if (event.key === "Enter") commit();
          if (event.key === "Escape") {
            setDraft(undefined);
            if (focused) onSettle();
          }
        }}
      />
      {!parsed.ok && (
        <span className="field-error" id={errorId} role="alert">
          expected {parsed.expected}
        </span>
      )}
    </span>
  );
}
