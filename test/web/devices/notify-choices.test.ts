/** The switches for notifications of an accessory, and the automations that they stand for. */
import { describe, expect, it } from 'vitest';
import {
  flowOfSwitch,
  isUpkeep,
  notifyChoicesOf,
  notifyFlow,
} from '../../../src/web/dashboard/pages/accessory/notify-choices.ts';
import { accessoryOf } from '../home/sample-home.ts';

const door = accessoryOf('door', 'contact', {
  contact_sensor: { contact_state: 0, status_low_battery: 0 },
  'contact_sensor 2': { contact_state: 0 },
});

describe('the notifications that an accessory offers', () => {
  it('are what it reports, each once, and that it is offline', () => {
    expect(notifyChoicesOf(door).map(({ key }) => key)).toEqual(['opens', 'lowBattery', 'offline']);
    expect(
      notifyChoicesOf(door)
        .filter(isUpkeep)
        .map(({ key }) => key),
    ).toEqual(['lowBattery', 'offline']);
    const lock = accessoryOf('lock', 'lock', { lock_mechanism: { lock_current_state: 1 } }, { isVirtual: true });
    expect(notifyChoicesOf(lock).map(({ key }) => key)).toEqual(['unlocked']);
  });

  it('are automations, found again by the accessory and the event, also after people changed them', () => {
    const [opens] = notifyChoicesOf(door);
    if (!opens) throw new Error('There is no choice');
    const flow = notifyFlow('door', opens, 'Notify', 'Opened');
    expect(flow).toMatchObject({
      triggers: [{ type: 'state', accessoryId: 'door', characteristicType: 'contact_state', to: 1 }],
      actions: [{ type: 'notify', message: 'Opened' }],
    });
    const stored = (id: string, enabled: boolean) => ({
      ...{ id, enabled },
      dataJson: JSON.stringify({ ...flow, name: 'Renamed', actions: [] }),
    });
    const other = { id: 'other', enabled: true, dataJson: '{"name":"Other","uiState":null}' };
    expect(flowOfSwitch([other], 'door', 'opens')).toBeUndefined();
    expect(flowOfSwitch([other, stored('a', false)], 'door', 'opens')?.id).toBe('a');
    expect(flowOfSwitch([stored('a', false), stored('b', true)], 'door', 'opens')?.id).toBe('b');
    expect(flowOfSwitch([stored('a', true)], 'door', 'lowBattery')).toBeUndefined();
    expect(flowOfSwitch([stored('a', true)], 'window', 'opens')).toBeUndefined();
  });
});
