import { NumberInput } from '@mantine/core';
import { Pause, Play, SkipForward, X } from 'lucide-react';
import { useState } from 'react';
import { type ActButton, Acts } from '../controls/acts.tsx';
import { timerState } from '../kinds/virtual.ts';
import { operateVirtual } from '../operate.ts';
import { characteristicOf } from '../reading.ts';
import { clockText } from './clock-text.ts';
import { useNow } from './countdown.ts';
import { type PanelProps, usePanelWords } from './panel.ts';
import classes from './virtual-panels.module.css';

const MINUTE_MS = 60_000;
const MINUTE_S = 60;
const DAY_MINUTES = 24 * 60;

/** The timer runs on the relay's clock; the display counts down to the end that the relay reports. */
export function TimerPanel({ accessory, service, isDisabled }: PanelProps) {
  const { t, d } = usePanelWords();
  const state = timerState(accessory);
  const [minutes, setMinutes] = useState<number>();
  const own = (accessory.virtualDurationMs ?? 0) / MINUTE_MS;
  const isOut = isDisabled || !characteristicOf(service, 'virtual_timer')?.canWrite;
  const operate = (operation: string, value?: number) => () => void operateVirtual(accessory.id, operation, value);
  const start: ActButton = {
    label: t.timer.start,
    icon: <Play aria-hidden size={18} />,
    isMain: true,
    run: operate('start', minutes === undefined ? undefined : minutes * MINUTE_S),
  };
  const ends: readonly ActButton[] = [
    { label: t.timer.cancel, icon: <X aria-hidden size={18} />, run: operate('cancel') },
    { label: t.timer.finish, icon: <SkipForward aria-hidden size={18} />, run: operate('finish') },
  ];
  const acts: Readonly<Record<typeof state, readonly ActButton[]>> = {
    idle: [start],
    active: [
      { label: t.timer.pause, icon: <Pause aria-hidden size={18} />, isMain: true, run: operate('pause') },
      ...ends,
    ],
    paused: [
      { label: t.timer.resume, icon: <Play aria-hidden size={18} />, isMain: true, run: operate('resume') },
      ...ends,
    ],
  };
  return (
    <>
      <p className={classes.number} style={{ margin: 0 }} role="timer">
        <TimeLeft {...{ accessory, state }} />
      </p>
      {state !== 'idle' && <p style={{ margin: 0, textAlign: 'center' }}>{d.timer[state]}</p>}
      {state === 'idle' && (
        <NumberInput
          label={t.timer.minutes}
          value={minutes ?? own}
          min={1 / MINUTE_S}
          max={DAY_MINUTES}
          decimalScale={2}
          disabled={isOut}
          onChange={(next) => setMinutes(typeof next === 'number' && next > 0 ? next : undefined)}
        />
      )}
      <Acts acts={acts[state]} isDisabled={isOut} />
    </>
  );
}

function TimeLeft({ accessory, state }: Pick<PanelProps, 'accessory'> & { readonly state: string }) {
  const { virtualEndsAt, virtualRemainingMs, virtualDurationMs } = accessory;
  const isRunning = state === 'active' && virtualEndsAt !== null;
  const now = useNow(isRunning);
  if (isRunning) return clockText(new Date(virtualEndsAt).getTime() - now);
  return clockText((state === 'paused' ? virtualRemainingMs : virtualDurationMs) ?? 0);
}
