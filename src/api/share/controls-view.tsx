/**
 * The controls of a card as forms, each of which works without a script: a button or a "Set" submits it, and the
 * response is the updated page. The script in the browser (`src/web/share`) submits the same forms, and finds the
 * elements to update by the `data-` attributes.
 */
import type { Child } from 'hono/jsx';
import { plainNumber } from '../../texts/intl.ts';
import type { Markup } from '../html/page.tsx';
import { CSRF_FIELD } from '../html/page-session.ts';
import type { Card } from './cards.ts';
import type { CardControl, Choice } from './controls.ts';
import type { ShareTexts } from './texts.ts';

/** The data that every form of the page includes. */
export interface FormDeps {
  readonly texts: ShareTexts;
  /** `/s/{hash}` */
  readonly address: string;
  readonly csrf: string;
}

interface ControlProps {
  readonly deps: FormDeps;
  readonly card: Card;
  readonly control: CardControl;
}

export function ControlView(props: ControlProps): Markup {
  const { control } = props;
  switch (control.kind) {
    case 'switch':
      return <SwitchForm {...props} control={control} />;
    case 'choice':
      return <ChoiceForm {...props} control={control} />;
    case 'range':
      return <RangeForm {...props} control={control} />;
    case 'step':
      return <StepForm {...props} control={control} />;
    case 'text':
      return <TextForm {...props} control={control} />;
  }
}

type Of<K extends CardControl['kind']> = Omit<ControlProps, 'control'> & {
  readonly control: Extract<CardControl, { kind: K }>;
};

function ControlForm({ deps, card, control, children }: ControlProps & { readonly children?: Child }): Markup {
  return (
    <form
      method="post"
      action={`${deps.address}/set`}
      class={`control control-${control.kind}`}
      data-kind={control.kind}
      data-property={control.property}
    >
      <input type="hidden" name={CSRF_FIELD} value={deps.csrf} />
      <input type="hidden" name="accessory" value={card.id} />
      <input type="hidden" name="property" value={control.property} />
      {children}
    </form>
  );
}

function SwitchForm({ deps, card, control }: Of<'switch'>): Markup {
  return (
    <ControlForm deps={deps} card={card} control={control}>
      <span class="label">{control.label}</span>
      <button
        type="submit"
        class="toggle"
        role="switch"
        name="value"
        value={String(!control.value)}
        aria-checked={String(control.value)}
        aria-label={`${control.label}, ${card.name}`}
      >
        <span class="thumb" />
      </button>
    </ControlForm>
  );
}

/** More options than these become a select. */
const MAX_BUTTONS = 5;

function ChoiceForm({ deps, card, control }: Of<'choice'>): Markup {
  const { label, choices, value } = control;
  const isList = choices.length > MAX_BUTTONS;
  // Of a lock or a door: the action stands out, not the state that it has.
  const isOpposite = choices.length === 2 && choices.some(({ confirm }) => confirm !== undefined);
  return (
    <ControlForm deps={deps} card={card} control={control}>
      <span class="label">{label}</span>
      {isList ? (
        <ChoiceList deps={deps} card={card} control={control} />
      ) : (
        <fieldset class="choices" data-opposite={isOpposite ? '' : undefined}>
          <legend class="unseen">{`${label}, ${card.name}`}</legend>
          {choices.map((choice) => (
            <ChoiceButton texts={deps.texts} choice={choice} isChosen={choice.value === value} />
          ))}
        </fieldset>
      )}
    </ControlForm>
  );
}

interface ChoiceButtonProps {
  readonly texts: ShareTexts;
  readonly choice: Choice;
  readonly isChosen: boolean;
}

/** An action that must not happen by mistake needs a second touch. */
function ChoiceButton({ texts, choice, isChosen }: ChoiceButtonProps): Markup {
  const { value, label, confirm } = choice;
  const current = isChosen ? 'true' : undefined;
  if (confirm === undefined) {
    return (
      <button type="submit" name="value" value={value} data-value={value} aria-current={current}>
        {label}
      </button>
    );
  }
  return (
    <details class="confirm">
      <summary class="button" data-value={value} aria-current={current}>
        {label}…
      </summary>
      <div class="question">
        <p>{confirm}</p>
        <button type="submit" class="primary" name="value" value={value}>
          {texts.confirm.yes({ act: label.toLowerCase() })}
        </button>
      </div>
    </details>
  );
}

function ChoiceList({ deps, card, control: { choices, value, label } }: Of<'choice'>): Markup {
  return (
    <div class="with-button">
      <select name="value" aria-label={`${label}, ${card.name}`}>
        {choices.map((choice) => (
          <option value={choice.value} selected={choice.value === value}>
            {choice.label}
          </option>
        ))}
      </select>
      <button type="submit" class="send">
        {deps.texts.controls.set}
      </button>
    </div>
  );
}

function RangeForm({ deps, card, control }: Of<'range'>): Markup {
  const { label, value, min, max, step, unit, track } = control;
  const text = shown(control, deps.texts);
  return (
    <ControlForm deps={deps} card={card} control={control}>
      <span class="label">
        {label} <output data-unit={unit}>{text}</output>
      </span>
      <div class="with-button">
        <input
          type="range"
          name="value"
          class={track}
          aria-label={`${label}, ${card.name}`}
          aria-valuetext={text}
          min={min}
          max={max}
          step={step}
          value={value ?? min}
          autocomplete="off"
        />
        <button type="submit" class="send">
          {deps.texts.controls.set}
        </button>
      </div>
    </ControlForm>
  );
}

function StepForm({ deps, card, control }: Of<'step'>): Markup {
  const { label, value, min, max, step, unit } = control;
  const { down, up } = deps.texts.controls;
  const next = (direction: 1 | -1): number => Math.min(max, Math.max(min, tidy((value ?? min) + direction * step)));
  return (
    <ControlForm deps={deps} card={card} control={control}>
      <span class="label">{label}</span>
      <div class="stepper" data-min={min} data-max={max} data-step={step}>
        <button
          type="submit"
          name="value"
          value={next(-1)}
          data-direction="-1"
          aria-label={`${down({ label })}, ${card.name}`}
        >
          −
        </button>
        <output data-unit={unit}>{shown(control, deps.texts)}</output>
        <button
          type="submit"
          name="value"
          value={next(1)}
          data-direction="1"
          aria-label={`${up({ label })}, ${card.name}`}
        >
          +
        </button>
      </div>
    </ControlForm>
  );
}

function TextForm({ deps, card, control }: Of<'text'>): Markup {
  return (
    <ControlForm deps={deps} card={card} control={control}>
      <span class="label">{control.label}</span>
      <div class="with-button">
        <input
          type={control.input}
          name="value"
          value={control.value}
          aria-label={`${control.label}, ${card.name}`}
          autocomplete="off"
        />
        <button type="submit">{deps.texts.controls.set}</button>
      </div>
    </ControlForm>
  );
}

/** The script formats numbers in the same way, see `src/web/share/view.ts`. */
function shown(control: Extract<CardControl, { kind: 'range' | 'step' }>, { language }: ShareTexts): string {
  const { value, unit } = control;
  if (value === null) return '–';
  const isWarmth = 'track' in control && control.track === 'warmth';
  return `${plainNumber(isWarmth ? kelvinOf(value) : value, language)}${unit}`;
}

/** People know kelvins from the packaging of lamps; HAP uses mireds. */
function kelvinOf(mireds: number): number {
  return Math.round(1_000_000 / mireds / 50) * 50;
}

/** 20.3 + 0.5 without floating-point error. */
function tidy(value: number): number {
  return Number(value.toFixed(6));
}
