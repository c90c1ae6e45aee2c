/** One input of a blueprint, by its kind. */
import blueprintTexts from 'texts:automation-blueprints';
import { MultiSelect, Select, Stack, Switch, Text, TextInput } from '@mantine/core';
import type { BlueprintInput } from '../../../../../contract/blueprints.ts';
import { useHome } from '../../../home/use-home.ts';
import { DurationInput } from '../../../pickers/duration-input.tsx';
import { NumberSlider } from '../../../pickers/number-slider.tsx';
import { TimeOfDayInput } from '../../../pickers/time-of-day-input.tsx';
import { WeekdaysInput } from '../../../pickers/weekdays-input.tsx';
import { useFormat } from '../../../texts/format.ts';
import { useTexts } from '../../../texts/texts.ts';
import { useNamedRooms } from '../../rooms/room-name.ts';
import { useFlowNames } from '../flow/use-sentences.ts';
import { toDuration, toMs } from './blueprint-values.ts';

/** Descriptions are below their fields, as below those that have no place for one. */
const inputWrapperOrder = ['label' as const, 'input' as const, 'description' as const, 'error' as const];

interface InputFieldProps {
  readonly input: BlueprintInput;
  /** The ids that fit, of inputs that are things of the home. */
  readonly choices: readonly string[] | undefined;
  readonly value: unknown;
  readonly error: string | undefined;
  readonly onChange: (value: unknown) => void;
}

export function InputField(props: InputFieldProps) {
  const { input, choices, value, error, onChange } = props;
  const { name, kind, description, optional, default: usual, min, max, unit } = input;
  const t = useTexts(blueprintTexts);
  const label = optional ? t.optional({ name }) : name;
  if (choices) return <ThingField {...props} choices={choices} label={label} />;
  switch (kind) {
    case 'number':
      return (
        <NumberSlider
          {...{ label, description, error, inputWrapperOrder, min, max, onChange }}
          value={typeof value === 'number' ? value : undefined}
          usual={typeof usual === 'number' ? usual : undefined}
          isOptional={optional}
          step={1}
          suffix={unit === undefined ? '' : ` ${unit}`}
        />
      );
    case 'time':
      return (
        <Described text={description}>
          <TimeOfDayInput {...{ label, error, onChange }} value={typeof value === 'string' ? value : ''} />
        </Described>
      );
    case 'duration':
      return (
        <Described text={description}>
          <DurationInput {...{ label, error }} valueMs={toMs(value)} onChange={(ms) => onChange(toDuration(ms))} />
        </Described>
      );
    case 'weekdays':
      return (
        <Described text={description}>
          <WeekdaysInput {...{ label, error, onChange }} value={Array.isArray(value) ? value : []} sunday={0} />
        </Described>
      );
    case 'flag':
      return (
        <Switch
          {...{ label, description, error }}
          checked={value === true}
          onChange={({ currentTarget }) => onChange(currentTarget.checked)}
        />
      );
    default:
      return (
        <TextInput
          {...{ label, description, error, inputWrapperOrder }}
          value={typeof value === 'string' ? value : ''}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        />
      );
  }
}

interface DescribedProps {
  readonly text: string | undefined;
  readonly children: React.ReactNode;
}

/** A field that has no place for a description of its own. */
function Described({ text, children }: DescribedProps) {
  if (text === undefined) return children;
  return (
    <Stack gap={4} miw={0}>
      {children}
      <Text c="dimmed" fz="0.8125rem">
        {text}
      </Text>
    </Stack>
  );
}

interface ThingFieldProps extends InputFieldProps {
  readonly choices: readonly string[];
  readonly label: string;
}

/** Accessories, people, scenes, groups and automations. */
function ThingField({ input, choices, value, error, onChange, label }: ThingFieldProps) {
  const t = useTexts(blueprintTexts);
  const nameOf = useNames();
  const { compare } = useFormat();
  const data = choices
    .map((id) => ({ value: id, label: nameOf(id) }))
    .sort((one, other) => compare(one.label, other.label));
  const shared = {
    label,
    description: input.description,
    error,
    inputWrapperOrder,
    data,
    searchable: true,
    nothingFoundMessage: t.noMatch,
    clearable: true,
    disabled: choices.length === 0,
  };
  const nothing = choices.length === 0 ? t.nothingFits : undefined;
  if (!input.multiple) {
    return (
      <Select
        {...shared}
        placeholder={nothing ?? t.choose}
        value={typeof value === 'string' ? value : null}
        onChange={(id) => onChange(id ?? undefined)}
      />
    );
  }
  const chosen = Array.isArray(value) ? (value as readonly string[]) : [];
  return (
    <MultiSelect
      {...shared}
      placeholder={nothing ?? (chosen.length === 0 ? t.chooseSeveral : undefined)}
      value={[...chosen]}
      onChange={onChange}
    />
  );
}

/** The name of anything in the home; accessories of one name with their rooms. */
function useNames(): (id: string) => string {
  const t = useTexts(blueprintTexts);
  const { accessories, scenes, serviceGroups } = useHome();
  const rooms = useNamedRooms();
  const { flows, natives, people } = useFlowNames();
  const named = new Map(
    [...scenes, ...serviceGroups, ...flows, ...natives, ...people].map((one) => [one.id, one.name]),
  );
  const roomNames = new Map(rooms.map((room) => [room.id, room.name]));
  for (const { id, name, roomId } of accessories) {
    const isShared = accessories.some((other) => other.id !== id && other.name === name);
    const room = roomNames.get(roomId ?? '');
    named.set(id, isShared && room !== undefined ? t.inRoom({ name, room }) : name);
  }
  return (id) => named.get(id) ?? id;
}
