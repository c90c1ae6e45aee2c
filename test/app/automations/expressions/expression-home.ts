/**
 * A home in memory with a few accessories, and what expressions and conditions look at it with. No database, no driver.
 */
import { ChangeLog } from '../../../../src/app/automations/change-log.ts';
import { Expressions } from '../../../../src/app/automations/expressions/expressions.ts';
import type { Cause, ExpressionScope } from '../../../../src/app/automations/scope.ts';
import type { DescribedAccessory } from '../../../../src/home/accessory-driver.ts';
import type { HomeEvents } from '../../../../src/home/events.ts';
import { HomeState } from '../../../../src/home/home-state.ts';
import type { CharacteristicValue, Home, VirtualConfig } from '../../../../src/home/model.ts';
import type { TimerState } from '../../../../src/home/virtual-driver.ts';
import { EventBus } from '../../../../src/kernel/event-bus.ts';
import type { Json } from '../../../../src/kernel/json.ts';
import {
  button,
  characteristic,
  doorLock,
  lamp,
  motionSensor,
  service,
  thermostat,
} from '../../../support/sample-accessories.ts';
import { TestClock } from '../../../support/test-clock.ts';

export const HOME_ID = '00000000-0000-4000-8000-0000000000f1';
export const EMPTY_SCOPE: ExpressionScope = { trigger: null, variables: {}, nodes: {}, repeat: null, wait: null };

const ROOM_ID = '00000000-0000-4000-8000-0000000000e1';
const NUMBER: VirtualConfig = {
  virtualType: 'input_number',
  icon: null,
  controllable: true,
  min: 0,
  max: 100,
  step: 1,
  initialValue: 7,
  unit: null,
  control: 'field',
};
const TIMER: VirtualConfig = {
  virtualType: 'timer',
  icon: null,
  controllable: true,
  durationMs: 60_000,
  restoreOnRestart: true,
};

export type ExpressionHome = ReturnType<typeof createExpressionHome>;

export function createExpressionHome({ home = {}, now }: { home?: Partial<Home>; now?: string } = {}) {
  const clock = new TestClock(now);
  const bus = new EventBus<HomeEvents>();
  const state = new HomeState(bus, clock);
  const causes = new Map<string, Cause>();
  const changes = new ChangeLog({
    bus,
    state,
    // The engine's own, reduced to what is asked of it here.
    causes: { of: ({ accessoryId }) => causes.get(accessoryId) ?? { chain: [] } },
    clock,
  });
  const timers = new Map<string, TimerState>();
  const expressions = new Expressions({ state, clock, changes, timerOf: (id) => timers.get(id) });

  const base = { privileges: 'edit', paused: false, location: null, createdAt: 0 } as const;
  const plain = { background: null, pictureHash: null };
  state.putHome({ ...base, ...plain, id: HOME_ID, name: 'House', timeZone: 'Europe/Berlin', ...home });
  const looks = { color: null, pictureHash: null };
  state.putRoom({ id: ROOM_ID, homeId: HOME_ID, name: 'Living Room', isDefault: true, ...looks, createdAt: 0 });
  let count = 0;
  const ids = new Map<string, string>();
  function add(described: DescribedAccessory, virtual: VirtualConfig | null = null): string {
    count += 1;
    const id = `00000000-0000-4000-8000-00000000${String(count).padStart(4, '0')}`;
    ids.set(described.name, id);
    const { name, category, services } = described;
    const address = { source: `source-${count}`, aid: '1' };
    state.putAccessories([
      {
        id,
        homeId: HOME_ID,
        roomId: ROOM_ID,
        name,
        address,
        category,
        vanishedAt: null,
        icon: null,
        virtual,
        services,
      },
    ]);
    return id;
  }
  for (const described of [lamp(), lamp('Lamp 2'), thermostat(), doorLock(), motionSensor(), button()]) add(described);
  const made = (name: string, type: string, value: CharacteristicValue): DescribedAccessory => ({
    aid: '1',
    name,
    category: 1,
    services: [service('8', '49', [characteristic('9', type, typeof value === 'number' ? 'float' : 'string', value)])],
  });
  add(made('Level', '48440104-8E1C-4F2D-A3B7-5D0C9E6F1A42', 7), NUMBER);
  add(made('Egg Timer', '48440103-8E1C-4F2D-A3B7-5D0C9E6F1A42', 'active'), TIMER);
  changes.start();

  return {
    clock,
    bus,
    state,
    causes,
    changes,
    timers,
    expressions,
    add,
    idOf(name: string): string {
      const id = ids.get(name);
      if (id === undefined) throw new Error(`There is no ${name}`);
      return id;
    },
    set(name: string, iid: string, value: CharacteristicValue): void {
      state.applyValue(this.idOf(name), iid, value, 'device');
    },
    evaluate(expression: string, scope: Partial<ExpressionScope> = {}): Json {
      return expressions.evaluate(expression, { ...EMPTY_SCOPE, ...scope }, HOME_ID);
    },
    render(value: Json, scope: Partial<ExpressionScope> = {}): Json {
      return expressions.render(value, { ...EMPTY_SCOPE, ...scope }, HOME_ID);
    },
  };
}
