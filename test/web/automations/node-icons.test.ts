/** The icons of triggers, conditions and actions: of the device in each. */
import {
  CircleDot,
  DoorClosed,
  DoorOpen,
  Droplet,
  Lightbulb,
  type LucideIcon,
  PersonStanding,
  Thermometer,
} from 'lucide-react';
import { describe, expect, it } from 'vitest';
import { deviceIconNow } from '../../../src/web/dashboard/devices/icons/device-icon.ts';
import { toFlowRecord } from '../../../src/web/dashboard/pages/automations/flow/flow-record.ts';
import { deviceIn } from '../../../src/web/dashboard/pages/automations/flow/node-icon.ts';
import type { AutomationEntry } from '../../../src/web/dashboard/pages/automations/list/automation-list.ts';
import { firstTriggerOf } from '../../../src/web/dashboard/pages/automations/list/first-trigger.ts';
import { accessoryOf, homeOf, lampOf } from '../home/sample-home.ts';

const HOME = homeOf([
  lampOf('Lamp'),
  accessoryOf('Door', 'contact', { contact_sensor: { contact_state: 0 } }),
  accessoryOf('Sink', 'sensor', { leak_sensor: { leak_detected: 0 } }),
  accessoryOf('Key', 'button', { stateless_programmable_switch: { programmable_switch_event: null } }),
  accessoryOf('Heating', 'climate', {
    thermostat: { current_temperature: 20, current_heating_cooling_state: 1 },
    occupancy_sensor: { occupancy_detected: 0 },
    battery: { status_low_battery: 0 },
  }),
]);

function iconOf(accessoryId: string, characteristicType: string, more: object = {}): LucideIcon | undefined {
  const device = deviceIn(HOME, { type: 'state', accessoryId, characteristicType, ...more });
  return device && deviceIconNow(device);
}

describe('the icon of a node', () => {
  it('is that of its device, with the value that the node has', () => {
    expect(iconOf('Door', 'contact_state', { to: 1 })).toBe(DoorOpen);
    expect(iconOf('Door', 'contact_state', { to: 0 })).toBe(DoorClosed);
    expect(iconOf('Sink', 'leak_detected', { to: 1 })).toBe(Droplet);
    expect(iconOf('Key', 'programmable_switch_event', { to: 0 })).toBe(CircleDot);
    expect(iconOf('Lamp', 'power_state', { value: true })).toBe(Lightbulb);
  });

  it('is that of the service of its property, and does not change with the present values', () => {
    expect(iconOf('Heating', 'occupancy_detected', { to: 1 })).toBe(PersonStanding);
    expect(iconOf('Heating', 'current_temperature', { above: 25 })).toBe(Thermometer);
  });

  it('is that of its kind without a device', () => {
    expect(iconOf('Gone', 'power_state')).toBeUndefined();
    expect(iconOf('Lamp', 'current_temperature')).toBeUndefined();
    expect(deviceIn(HOME, { type: 'sun', event: 'sunset' })).toBeUndefined();
  });
});

describe('the first trigger of an automation', () => {
  const base = { id: 'a', name: 'A', isEnabled: true, lastRunAt: null, isWithoutPlace: false };
  const native = (trigger: object): AutomationEntry => ({
    ...{ ...base, kind: 'native', draft: { name: 'A', trigger: trigger as never, actions: [] } },
  });
  const event = (of: object) => native({ type: 'event', events: [of, { type: 'presence' }] });

  it('is the first that is on, of a flow', () => {
    const triggers = [
      { type: 'time', at: '07:00', enabled: false },
      { type: 'sun', event: 'sunset' },
    ];
    const entry = (flow: object): AutomationEntry => ({ ...base, kind: 'flows', flow: toFlowRecord(flow) });
    expect(firstTriggerOf(entry({ triggers }))).toEqual(triggers[1]);
    expect(firstTriggerOf(entry({ triggers: [] }))).toBeUndefined();
    expect(firstTriggerOf({ ...base, kind: 'flows', flow: undefined })).toBeUndefined();
  });

  it('has the form of a flow’s, of a simple one', () => {
    const door = { accessoryId: 'Door', characteristicType: 'contact_state' };
    expect(firstTriggerOf(event({ type: 'characteristic', ...door, triggerValue: 1 }))).toEqual({
      ...{ type: 'state', ...door, to: 1 },
    });
    expect(firstTriggerOf(event({ type: 'significantTime' }))).toEqual({ type: 'sun' });
    expect(firstTriggerOf(event({ type: 'calendar' }))).toEqual({ type: 'time' });
    expect(firstTriggerOf(native({ type: 'timer' }))).toEqual({ type: 'timer' });
    expect(firstTriggerOf(native({ type: 'event', events: [] }))).toBeUndefined();
  });
});
