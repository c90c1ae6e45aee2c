/** A home with a lamp, a thermostat, a motion sensor and a button in which dry runs are made. */
import type { SimulationReport } from '../../../../src/app/automations/simulation/simulation.ts';
import type { SimulationRequest } from '../../../../src/app/automations/simulation/simulations.ts';
import { createAutomationHome } from '../../../support/automation-home.ts';
import { button } from '../../../support/sample-accessories.ts';
import { systemCaller } from '../../../support/test-home.ts';

export type SimulationFixture = ReturnType<typeof fixture>;

export function fixture() {
  const home = createAutomationHome({
    sample: true,
    prepare: ({ driver, home: { id } }) =>
      driver.attach(id, {
        deviceId: 'AA:BB:00:00:00:99',
        name: 'Button',
        setupCode: '031-45-154',
        accessories: [button()],
      }),
  });
  const id = (name: string): string => home.named(name).id;
  return {
    home,
    id,
    motion: () => ({ accessoryId: id('Motion'), characteristicType: 'motion_detected' }),
    /** Of a flow, what is left out is nothing. */
    simulate(request: Omit<SimulationRequest, 'data'> & { data?: Record<string, unknown> }): Promise<SimulationReport> {
      const data = request.data && { name: 'Dry', triggers: [], actions: [], ...request.data };
      return home.simulations.simulate(systemCaller, {
        homeId: home.home.id,
        ...request,
        ...(data && { data }),
      });
    },
    close: () => home.stop(),
  };
}

/** Since the start of the dry run. */
export function seconds({ startedAt }: SimulationReport, at: number): number {
  return (at - startedAt) / 1_000;
}

export function power(accessoryId: string, value: unknown, characteristicType = 'power_state') {
  return { type: 'set_characteristic', accessoryId, characteristicType, value };
}
