/** Locks, garage doors and alarms: one tap never opens them. */
import { ChevronsDown, ChevronsUp, House, Lock, LockOpen, Moon, ShieldAlert, ShieldOff, TreePalm } from 'lucide-react';
import { writer } from '../../home/write.ts';
import { type ActButton, Acts } from '../controls/acts.tsx';
import { BigPill } from '../controls/big-pill.tsx';
import { Choice } from '../controls/choice.tsx';
import { ALARM_MODES, readAlarm } from '../kinds/alarm.ts';
import { readLock, SECURED, UNSECURED } from '../kinds/lock.ts';
import { GARAGE_CLOSED, GARAGE_OPEN, readOpening } from '../kinds/opening.ts';
import { setAfterQuestion } from '../perform.ts';
import { characteristicOf, choicesOf, writeOf } from '../reading.ts';
import { Notice } from './notice.tsx';
import { type PanelProps, usePanelWords } from './panel.ts';

export function LockPanel({ accessory, service, isDisabled, isMain = false }: PanelProps) {
  const { t, d } = usePanelWords();
  const state = readLock(service);
  const write = (value: number) => writeOf(accessory, service, 'lock_target_state', value);
  const isSecured = state === 'locked' || state === 'locking';
  const lock: ActButton = {
    label: t.lock.lock,
    icon: <Lock aria-hidden size={20} />,
    isMain: !isSecured,
    isDisabled: state === 'locked',
    run: () => writer.set(...write(SECURED)),
  };
  const unlock: ActButton = {
    label: t.lock.unlock,
    icon: <LockOpen aria-hidden size={20} />,
    isDisabled: state === 'unlocked',
    run: () => void setAfterQuestion(accessory, 'unlock', write(UNSECURED)),
  };
  // While the state is not certain, the big control is the one that does no harm, and the other lies below it.
  const offered = isSecured ? unlock : lock;
  return (
    <>
      {state === 'jammed' && <Notice tone="bad">{t.lock.jammed}</Notice>}
      {state === 'unknown' && <Notice tone="note">{t.lock.unknown}</Notice>}
      {isMain && (
        <BigPill
          label={offered.label}
          isUp={!isSecured}
          isSent={state === 'locking' || state === 'unlocking'}
          text={d.lock[state]}
          icon={isSecured ? <Lock size={40} strokeWidth={1.75} /> : <LockOpen size={40} strokeWidth={1.75} />}
          isDisabled={isDisabled}
          onPress={offered.run}
        />
      )}
      {isMain && (state === 'locked' || state === 'unlocked') ? null : (
        <Acts isDisabled={isDisabled} acts={isMain ? [isSecured ? lock : unlock] : [lock, unlock]} />
      )}
    </>
  );
}

export function GaragePanel({ accessory, service, isDisabled }: PanelProps) {
  const { t } = usePanelWords();
  const { state, isObstructed } = readOpening(service);
  const write = (value: number) => writeOf(accessory, service, 'target_door_state', value);
  return (
    <>
      {isObstructed && <Notice tone="bad">{t.opening.obstructed}</Notice>}
      <Acts
        isDisabled={isDisabled}
        acts={[
          {
            label: t.opening.open,
            icon: <ChevronsUp aria-hidden size={20} />,
            isDisabled: state === 'open',
            run: () => void setAfterQuestion(accessory, 'openGarage', write(GARAGE_OPEN)),
          },
          {
            label: t.opening.close,
            icon: <ChevronsDown aria-hidden size={20} />,
            isDisabled: state === 'closed',
            run: () => void setAfterQuestion(accessory, 'closeGarage', write(GARAGE_CLOSED)),
          },
        ]}
      />
      {characteristicOf(service, 'lock_target_state') && (
        <LockPanel accessory={accessory} service={service} isDisabled={isDisabled} />
      )}
    </>
  );
}

const ALARM_ICONS = { home: House, away: TreePalm, night: Moon, disarmed: ShieldOff } as const;
const DISARM = ALARM_MODES.indexOf('disarmed');

export function AlarmPanel({ accessory, service, isDisabled }: PanelProps) {
  const { t, d } = usePanelWords();
  const { state, arming } = readAlarm(service);
  const target = characteristicOf(service, 'security_system_target_state');
  const choices = choicesOf(target) ?? ALARM_MODES.map((_, index) => index);
  const write = (value: number) => writeOf(accessory, service, 'security_system_target_state', value);
  const shown = arming ?? (state === 'triggered' ? undefined : state);
  return (
    <>
      {state === 'triggered' && (
        <Notice tone="bad" icon={<ShieldAlert aria-hidden size={28} />}>
          {t.alarm.triggered}
        </Notice>
      )}
      {state === 'triggered' && choices.includes(DISARM) && (
        <Acts
          isDisabled={isDisabled}
          acts={[
            {
              label: t.alarm.turnOff,
              icon: <ShieldOff aria-hidden size={20} />,
              isMain: true,
              run: () => void setAfterQuestion(accessory, 'disarm', write(DISARM)),
            },
          ]}
        />
      )}
      <Choice
        label={t.mode}
        options={choices.flatMap((value) => {
          const name = ALARM_MODES[value];
          if (!name) return [];
          const Icon = ALARM_ICONS[name];
          return [{ value, label: d.alarm[name], icon: <Icon aria-hidden size={18} /> }];
        })}
        value={(ALARM_MODES as readonly (string | undefined)[]).indexOf(shown)}
        isDisabled={isDisabled}
        onChange={(value) => {
          if (value === DISARM) void setAfterQuestion(accessory, 'disarm', write(value));
          else writer.set(...write(value));
        }}
      />
      {arming && (
        <p role="status" style={{ margin: 0 }}>
          {d.alarm.goesTo({ mode: d.alarm[arming] })}
        </p>
      )}
    </>
  );
}
