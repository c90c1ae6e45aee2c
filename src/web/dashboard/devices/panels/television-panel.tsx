import { Group, NativeSelect } from '@mantine/core';
import { ArrowDown, ArrowLeft, ArrowRight, ArrowUp, CircleDot, Info, Pause, Play, Undo2 } from 'lucide-react';
import { writer } from '../../home/write.ts';
import { Choice } from '../controls/choice.tsx';
import { inputsOf } from '../kinds/television.ts';
import { characteristicOf, numberOf, powerOf, writeOf } from '../reading.ts';
import { type PanelProps, usePanelWords } from './panel.ts';
import { PowerRow } from './power-row.tsx';
import classes from './television-panel.module.css';

/** More options than this become a list. */
const MAX_BUTTONS = 4;

/** On/off, input, and the keys of the remote. */
export function TelevisionPanel(props: PanelProps) {
  const { service, isDisabled } = props;
  const isOn = powerOf(service) ?? false;
  return (
    <>
      <PowerRow {...props} />
      <Inputs {...props} />
      {characteristicOf(service, 'remote_key')?.canWrite && <Remote {...props} isDisabled={isDisabled || !isOn} />}
    </>
  );
}

function Inputs({ accessory, service, isDisabled }: PanelProps) {
  const { t } = usePanelWords();
  const inputs = inputsOf(accessory);
  const characteristic = characteristicOf(service, 'active_identifier');
  if (inputs.length === 0 || !characteristic) return null;
  const shown = numberOf(service, 'active_identifier');
  const isOut = isDisabled || !characteristic.canWrite;
  const set = (id: number) => writer.set(...writeOf(accessory, service, 'active_identifier', id));
  const options = inputs.map(({ id, name }) => ({ value: id, label: name }));
  if (inputs.length <= MAX_BUTTONS) {
    return <Choice label={t.television.input} options={options} value={shown} isDisabled={isOut} onChange={set} />;
  }
  const isKnown = inputs.some(({ id }) => id === shown);
  return (
    <NativeSelect
      label={t.television.input}
      data={[
        ...(isKnown ? [] : [{ value: '', label: '–' }]),
        ...options.map(({ value, label }) => ({ value: String(value), label })),
      ]}
      value={isKnown ? String(shown) : ''}
      disabled={isOut}
      onChange={({ currentTarget }) => currentTarget.value && set(Number(currentTarget.value))}
    />
  );
}

/** By HAP's numbers, in the layout of a remote: three a row. */
const KEYS = [
  { name: 'back', key: 9, icon: <Undo2 aria-hidden size={20} /> },
  { name: 'up', key: 4, icon: <ArrowUp aria-hidden size={20} /> },
  { name: 'info', key: 15, icon: <Info aria-hidden size={20} /> },
  { name: 'left', key: 6, icon: <ArrowLeft aria-hidden size={20} /> },
  { name: 'select', key: 8, icon: <CircleDot aria-hidden size={20} /> },
  { name: 'right', key: 7, icon: <ArrowRight aria-hidden size={20} /> },
  {
    name: 'playPause',
    key: 11,
    icon: (
      <Group component="span" gap={0} align="stretch" wrap="nowrap">
        <Play aria-hidden size={18} />
        <Pause aria-hidden size={18} />
      </Group>
    ),
  },
  { name: 'down', key: 5, icon: <ArrowDown aria-hidden size={20} /> },
] as const;

function Remote({ accessory, service, isDisabled }: PanelProps) {
  const { t } = usePanelWords();
  return (
    <fieldset disabled={isDisabled}>
      <legend className={classes.legend}>{t.television.remote}</legend>
      <div className={classes.keys}>
        {KEYS.map(({ name, key, icon }) => (
          <button
            key={name}
            type="button"
            className={classes.key}
            data-main={name === 'select' || undefined}
            aria-label={t.television.keys[name]}
            title={t.television.keys[name]}
            onClick={() => writer.set(...writeOf(accessory, service, 'remote_key', key))}
          >
            {icon}
          </button>
        ))}
      </div>
    </fieldset>
  );
}
