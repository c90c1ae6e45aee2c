/** What dry runs tell, and that nothing of them is done. */
import { afterEach, describe, expect, it } from 'vitest';
import type { SimulationReport } from '../../../../src/app/automations/simulation/simulation.ts';
import type { SimulationRequest } from '../../../../src/app/automations/simulation/simulations.ts';
import { type AutomationHome, createAutomationHome } from '../../../support/automation-home.ts';
import { systemCaller } from '../../../support/test-home.ts';

let house: AutomationHome | undefined;

afterEach(async () => {
  await house?.stop();
  house = undefined;
});

function open(): AutomationHome {
  house = createAutomationHome({ sample: true });
  return house;
}

function idOf(home: AutomationHome, name: string): string {
  const accessory = home.state.accessories().find((one) => one.name === name);
  if (!accessory) throw new Error(`There is no ${name}`);
  return accessory.id;
}

function simulate(home: AutomationHome, request: SimulationRequest): Promise<SimulationReport> {
  return home.simulations.simulate(systemCaller, { homeId: home.home.id, ...request });
}

const on = (accessoryId: string, value: unknown = true) => ({
  type: 'set_characteristic',
  accessoryId,
  characteristicType: 'power_state',
  value,
});

describe('A dry run', () => {
  it('tells what a flow would write when a sensor says so, and writes nothing', async () => {
    const home = open();
    const lamp = idOf(home, 'Lamp');
    const motion = idOf(home, 'Motion');
    const before = JSON.stringify(home.state.accessory(lamp)?.services);
    const data = {
      name: 'Light on motion',
      triggers: [{ type: 'state', accessoryId: motion, characteristicType: 'motion_detected', to: true }],
      actions: [on(lamp), { type: 'delay', duration: { minutes: 3 } }, on(lamp, false)],
    };
    const report = await simulate(home, {
      data,
      scenario: {
        events: [{ at: 60, set: { accessoryId: motion, characteristicType: 'motion_detected', value: true } }],
      },
    });
    expect(report.stopped).toBeNull();
    expect(report.writes.map(({ at, value }) => [(at - report.startedAt) / 1000, value])).toEqual([
      [60, true],
      [240, false],
    ]);
    expect(JSON.stringify(home.state.accessory(lamp)?.services)).toBe(before);
  });
});
