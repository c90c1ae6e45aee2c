/**
 * The kinds of virtual accessories: one file per kind, one line each here. A new kind needs its type and config in
 * `home/model.ts`, its characteristic in `hap-spec/characteristics/own.ts`, a file and a line.
 */
import { VIRTUAL_TYPES, type VirtualConfig, type VirtualType } from '../../../home/model.ts';
import type { VirtualInput } from '../../../home/virtual-driver.ts';
import { shorten } from '../../../home/vocabulary/values.ts';
import { HearthError } from '../../../kernel/errors.ts';
import { counter } from './counter.ts';
import { KindInput, refusedField } from './fields.ts';
import { inputBoolean } from './input-boolean.ts';
import { inputDatetime } from './input-datetime.ts';
import { inputNumber } from './input-number.ts';
import { inputSelect } from './input-select.ts';
import { inputText } from './input-text.ts';
import type { VirtualKind } from './kind.ts';
import { timer } from './timer.ts';

const KINDS: { readonly [T in VirtualType]: VirtualKind<T> } = {
  input_boolean: inputBoolean,
  input_select: inputSelect,
  counter,
  timer,
  input_number: inputNumber,
  input_text: inputText,
  input_datetime: inputDatetime,
};

const MAX_ICON_LENGTH = 64;

/** Every kind except the counter has `initialValue`; each kind accepts both names. */
const ALIASES: Readonly<Record<string, string>> = { initial: 'initialValue' };

/** The kind of a config. Use it with that config only: the compiler can't check that they belong together. */
export function kindOf(type: VirtualType): VirtualKind {
  return KINDS[type] as VirtualKind;
}

/** See `VirtualDriver.parseConfig`. @param now wall time in milliseconds */
export function parseConfig(given: VirtualInput, current: VirtualConfig | undefined, now: number): VirtualConfig {
  const { type, icon, controllable, ...own } = given;
  const kind = chooseKind(type, current);
  const fields = new KindInput({ ...ownFields(kind, own), icon, controllable });
  return {
    icon: fields.optionalText('icon', current?.icon ?? null, MAX_ICON_LENGTH),
    controllable: fields.boolean('controllable', current?.controllable ?? true),
    virtualType: kind.type,
    ...kind.parse(fields, current, now),
  } as VirtualConfig;
}

function chooseKind(type: unknown, current: VirtualConfig | undefined): VirtualKind {
  if (current === undefined) return findKind(type);
  const kind = kindOf(current.virtualType);
  if (type === undefined || findKind(type) === kind) return kind;
  throw refusedField('type', `it is ${kind.noun} and can’t become another kind; create a new one instead`);
}

/**
 * Finds a kind by the API document's name or by its common word, in any case. @throws `invalid_value` naming all of
 * them
 */
function findKind(type: unknown): VirtualKind {
  const word = typeof type === 'string' ? type.trim().toLowerCase() : undefined;
  const kinds = VIRTUAL_TYPES.map((one) => kindOf(one));
  const kind = kinds.find((one) => one.type === word || one.word === word);
  if (kind) return kind;
  const what = word === undefined ? 'it is missing' : `there is no "${shorten(word)}"`;
  throw refusedField('type', `${what}; give one of ${kinds.map((one) => one.word).join(', ')}`);
}

/** The kind's own fields under its own names. @throws `invalid_request` a field is unknown or given twice */
function ownFields(kind: VirtualKind, given: VirtualInput): VirtualInput {
  const own: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(given)) {
    if (value === undefined) continue;
    const name = ALIASES[field] ?? field;
    if (!kind.fields.includes(name)) {
      throw new HearthError(
        'invalid_request',
        `Unknown field "${shorten(field)}": ${kind.noun} takes ${kind.fields.join(', ')}.`,
        { field },
      );
    }
    if (own[name] !== undefined) {
      throw new HearthError('invalid_request', `Give ${name} once, under one of its names.`, { field: name });
    }
    own[name] = value;
  }
  return own;
}
