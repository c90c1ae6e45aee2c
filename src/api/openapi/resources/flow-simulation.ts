import { describeSchema } from '../../../contract/json-schema.ts';
import { FlowSimulation, NewSimulation, SimulationScenario, StoredSimulation } from '../../../contract/simulations.ts';
import type { Resource } from '../operation.ts';
import { ACCESSORY_ID } from './accessories.ts';
import { HOME_ID } from './homes.ts';

const MOTION = { accessoryId: ACCESSORY_ID, characteristicType: 'motion_detected' };
const FLOW = {
  name: 'Hall Light',
  triggers: [{ type: 'state', ...MOTION, to: true }],
  actions: [
    { type: 'set_characteristic', accessoryId: ACCESSORY_ID, characteristicType: 'power_state', value: true },
    { type: 'delay', duration: { minutes: 3 } },
    { type: 'set_characteristic', accessoryId: ACCESSORY_ID, characteristicType: 'power_state', value: false },
  ],
};
const SCENARIO = { start: '2030-01-31T18:00:00Z', events: [{ at: 60, set: { ...MOTION, value: true } }] };
const ANSWERED = { description: 'What it would do.', schema: FlowSimulation };
const BOUNDS =
  'In the home as it is now, or as the scenario sets it. A dry run has at most 1,000 runs, 100,000 steps and 5 seconds of work; `stopped` names the limit that ended it.';

export const flowSimulation: Resource = {
  tag: 'Dry runs',
  description:
    'What a flow, or a native automation, would do: the same engine with the same triggers, conditions and actions in a copy of the home, on a clock that leaps from one thing that is due to the next. No device, no virtual accessory, no phone and no server is touched, and nothing is kept.',
  schemas: describeSchema(SimulationScenario).components,
  operations: [
    {
      method: 'post',
      path: '/rest/flows/simulate',
      id: 'simulateFlow',
      summary: 'What a flow that is not saved would do',
      description: BOUNDS,
      audience: 'view',
      body: {
        schema: NewSimulation,
        examples: { Motion: { homeId: HOME_ID, data: FLOW, scenario: SCENARIO } },
      },
      answer: ANSWERED,
      errors: [404, 422, 429],
    },
    {
      method: 'post',
      path: '/rest/flows/:id/simulate',
      id: 'simulateStoredFlow',
      summary: 'What a flow or a native automation would do',
      description: `${BOUNDS} One that is disabled is taken for enabled.`,
      audience: 'view',
      body: {
        schema: StoredSimulation,
        optional: true,
        examples: { 'The next day': {}, Motion: { scenario: SCENARIO } },
      },
      answer: ANSWERED,
      errors: [422, 429],
    },
  ],
};
