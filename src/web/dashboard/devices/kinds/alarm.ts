import { Shield, ShieldAlert, ShieldCheck, ShieldOff } from 'lucide-react';
import type { HomeAccessory, HomeService } from '../../home/home-document.ts';
import type { DeviceKind } from '../kind.ts';
import { numberOf, serviceOf } from '../reading.ts';

export type AlarmState = 'home' | 'away' | 'night' | 'disarmed' | 'triggered' | 'unknown';
/** The states it can be set to, by HAP's numbers. */
export const ALARM_MODES = ['home', 'away', 'night', 'disarmed'] as const;

const CURRENT: readonly AlarmState[] = [...ALARM_MODES, 'triggered'];

export interface Alarm {
  readonly state: AlarmState;
  /** The target state, during the exit delay. */
  readonly arming: (typeof ALARM_MODES)[number] | undefined;
}

export function readAlarm(service: HomeService | undefined): Alarm {
  const state = CURRENT[numberOf(service, 'security_system_current_state') ?? -1] ?? 'unknown';
  const target = ALARM_MODES[numberOf(service, 'security_system_target_state') ?? -1];
  return { state, arming: target !== undefined && state !== 'triggered' && target !== state ? target : undefined };
}

const alarmOf = (accessory: HomeAccessory) => serviceOf(accessory, 'security_system');

/** Setting the alarm needs more than one tap, so the sheet does it. */
export const alarm: DeviceKind = {
  look(accessory) {
    const { state } = readAlarm(alarmOf(accessory));
    if (state === 'triggered') return { icon: ShieldAlert, tone: 'bad' };
    if (state === 'disarmed') return { icon: ShieldOff, tone: 'off' };
    return state === 'unknown' ? { icon: Shield, tone: 'note' } : { icon: ShieldCheck, tone: 'good' };
  },
  describe(accessory, t) {
    const { state, arming } = readAlarm(alarmOf(accessory));
    return arming ? t.alarm.goesTo({ mode: t.alarm[arming] }) : t.alarm[state];
  },
};
