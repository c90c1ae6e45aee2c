/** What a property must change to: one of its states, or anything. Nothing is chosen in advance. */
import { NativeSelect } from '@mantine/core';
import { useHome } from '../home/use-home.ts';
import { choicesOf, type Property, type PropertyRef } from './property.ts';
import { useWords, whenText } from './property-words.ts';

/** Not chosen yet. */
export const UNCHOSEN = null;

interface ChangeInputProps {
  readonly label: string;
  readonly error?: string | undefined;
  /** The accessory as the automation names it. */
  readonly target: PropertyRef;
  readonly property: Property;
  /** `undefined` for any change, `UNCHOSEN` before the user has chosen. */
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}

const ANY = 'any';

export function ChangeInput({ label, error, target, property, value, onChange }: ChangeInputProps) {
  const inventory = useHome();
  const words = useWords();
  const choices = choicesOf(property);
  const options = choices.map((to, index) => ({
    value: String(index),
    label: whenText(inventory, target, { to }, words),
  }));
  const at = choices.findIndex((choice) => String(choice) === String(value));
  const chosen = value === undefined ? ANY : at < 0 ? '' : String(at);
  return (
    <NativeSelect
      label={label}
      error={error}
      required
      value={chosen}
      onChange={({ currentTarget }) =>
        onChange(currentTarget.value === ANY ? undefined : choices[Number(currentTarget.value)])
      }
      data={[
        ...(chosen === '' ? [{ value: '', label: words.texts.chooseChange, disabled: true }] : []),
        ...inOrder(options, property),
        { value: ANY, label: whenText(inventory, target, {}, words) },
      ]}
    />
  );
}

/** The state that people wait for comes first: opens, detects, starts. Flags have it first already. */
function inOrder<T>(options: readonly T[], { characteristic: { type, format } }: Property): readonly T[] {
  const isFlag = type.endsWith('_detected') || type === 'contact_state' || type === 'active';
  return isFlag && format !== 'bool' ? options.toReversed() : options;
}
