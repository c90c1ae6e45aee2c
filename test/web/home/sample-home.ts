/** Homes and accessories as the API returns them, with what a test is about and nothing else. */
import type {
  HomeAccessory,
  HomeCharacteristic,
  HomeGroup,
  HomeInventory,
  HomeService,
} from '../../../src/web/dashboard/home/home-document.ts';
import type { StoreTimes } from '../../../src/web/dashboard/home/home-store.ts';

type Facts = Partial<Omit<HomeCharacteristic, 'id' | 'type'>>;
/** A value alone, or with its metadata. */
type Given = unknown | Facts;
export type Services = Readonly<Record<string, Readonly<Record<string, Given>>>>;

/** @param services by type; `outlet 2` is another one of the type before the blank */
export function accessoryOf(
  id: string,
  type: string,
  services: Services,
  more: Partial<Omit<HomeAccessory, 'id' | 'type' | 'services'>> = {},
): HomeAccessory {
  let iid = 1;
  return {
    ...{ id, name: id, type, category: null, icon: null, roomId: 'room', deviceId: 'AA:BB:CC:DD:EE:FF' },
    ...{ isReachable: true, lastSeenAt: '2026-01-01T12:00:00.000Z', vanishedAt: null },
    ...{ isVirtual: false, virtualType: null, virtualIcon: null, virtualControl: null, virtualOptions: null },
    ...{ virtualOperations: null, virtualTimerState: null, virtualDurationMs: null, virtualRemainingMs: null },
    ...{ virtualEndsAt: null, virtualHasDate: null, virtualHasTime: null },
    services: Object.entries(services).map(([name, characteristics]): HomeService => {
      const service = { id: `${id}.${iid++}`, type: name.split(' ')[0] ?? name, name: null };
      return {
        ...{ ...service, isPrimary: false, isHidden: false, linkedServices: [] },
        characteristics: Object.entries(characteristics).map(([kind, given]) => ({
          ...{ id: `${id}.${iid++}`, type: kind, unit: null, minValue: null, maxValue: null, minStep: null },
          ...{ validValues: null, canRead: true, canWrite: true },
          ...factsOf(given),
        })),
      };
    }),
    ...more,
  };
}

function factsOf(given: Given): { value: unknown; format: string } & Facts {
  const facts: Facts = typeof given === 'object' && given !== null ? given : { value: given };
  const { value } = facts;
  const format = typeof value === 'boolean' ? 'bool' : typeof value === 'string' ? 'string' : 'int';
  return { value: null, format, ...facts } as { value: unknown; format: string } & Facts;
}

export function lampOf(id: string, isOn = false, brightness = 40): HomeAccessory {
  const percent = { format: 'int', minValue: 0, maxValue: 100, minStep: 1, unit: 'percentage' };
  return accessoryOf(id, 'light', { lightbulb: { power_state: isOn, brightness: { ...percent, value: brightness } } });
}

export function homeOf(accessories: readonly HomeAccessory[], serviceGroups: readonly HomeGroup[] = []): HomeInventory {
  return {
    ...{ id: 'home', name: 'Home', role: 'owner', connected: true, paused: false, timeZone: null },
    ...{
      latitude: null,
      longitude: null,
      radius: 100,
      background: null,
      pictureHash: null,
      privileges: 'edit',
      rooms: [],
      zones: [],
      scenes: [],
    },
    accessories: [...accessories],
    serviceGroups: [...serviceGroups],
  } as HomeInventory;
}

/** A group of the first services of these. */
export function groupOf(group: HomeAccessory, members: readonly HomeAccessory[]): HomeGroup {
  return {
    ...{ id: group.id, name: group.name, kind: 'light', accessory: group },
    serviceIds: members.map(({ services }) => services[0]?.id ?? ''),
    accessoryIds: members.map(({ id }) => id),
  };
}

export function heldBy(accessory: HomeAccessory | undefined, type: string): unknown {
  for (const { characteristics } of accessory?.services ?? []) {
    const found = characteristics.find((characteristic) => characteristic.type === type);
    if (found) return found.value;
  }
  return undefined;
}

/** Frames and timers that come when the test asks for them. */
export class TestTimes implements StoreTimes {
  #frames: (() => void)[] = [];
  readonly #timers: { act: () => void; at: number }[] = [];
  #now = 1_000_000;

  schedule(act: () => void): void {
    this.#frames.push(act);
  }

  later(act: () => void, ms: number): void {
    this.#timers.push({ act, at: this.#now + ms });
  }

  now(): number {
    return this.#now;
  }

  /** @returns how many there were. */
  frame(): number {
    const frames = this.#frames;
    this.#frames = [];
    for (const act of frames) act();
    return frames.length;
  }

  pass(ms: number): void {
    this.#now += ms;
    for (const timer of this.#timers.splice(0)) {
      if (timer.at <= this.#now) timer.act();
      else this.#timers.push(timer);
    }
  }
}
