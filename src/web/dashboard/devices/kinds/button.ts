/** Buttons and doorbells have no state: they show a press for ten seconds. */
import type { LucideIcon } from 'lucide-react';
import { BellRing, CircleDot } from 'lucide-react';
import type { HomeAccessory } from '../../home/home-document.ts';
import { type DeviceKind, type DeviceTexts, line } from '../kind.ts';
import { numberOf, servicesOf } from '../reading.ts';

export const PRESSED = ['once', 'twice', 'long'] as const;
const PRESS = 'programmable_switch_event';

interface Pressed {
  readonly how: (typeof PRESSED)[number];
  readonly serviceId: string;
}

/** The latest press, else one that the relay still reports. */
export function pressOf(accessory: HomeAccessory): Pressed | undefined {
  const { lastPress } = accessory;
  if (lastPress) return { how: PRESSED[lastPress.value] ?? 'once', serviceId: lastPress.serviceId };
  for (const service of accessory.services) {
    const how = PRESSED[numberOf(service, PRESS) ?? -1];
    if (how) return { how, serviceId: service.id };
  }
  return undefined;
}

function button(icon: LucideIcon, rests: (t: DeviceTexts) => string): DeviceKind {
  return {
    look: (accessory) => ({ icon, tone: pressOf(accessory) ? 'plain' : 'off' }),
    describe(accessory, t) {
      const pressed = pressOf(accessory);
      if (!pressed) return rests(t);
      const keys = servicesOf(accessory, 'stateless_programmable_switch');
      const key = keys.length > 1 ? keys.find(({ id }) => id === pressed.serviceId)?.name : undefined;
      return line(key ?? undefined, t.pressed[pressed.how]);
    },
  };
}

export const pushButton = button(CircleDot, (t) => t.ready);
export const doorbell = button(BellRing, (t) => t.doorbellReady);
