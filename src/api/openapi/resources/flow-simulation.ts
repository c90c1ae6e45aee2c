import { BLOCKED_REASONS } from '../../../contract/automation-runs.ts';
import type { JsonSchema } from '../../../contract/json-schema.ts';
import { ERROR_CODES } from '../../../kernel/errors.ts';
import { FlowSimulation, StoredFlowSimulation } from '../../rest/flow-simulation.ts';
import {
  anyValue,
  arrayOf,
  flag,
  id,
  integer,
  mapOf,
  number,
  object,
  oneOf,
  orNull,
  ref,
  text,
  time,
} from '../json-schema.ts';
import type { Resource } from '../operation.ts';
import { ACCESSORY_ID } from './accessories.ts';
import { HOME_ID } from './homes.ts';

const FLOW_ID = '6e8d7c41-0b5f-4f6e-8c1a-2d9b3f4a5e60';
const RUN_ID = '9b1c2d3e-4f50-4a6b-8c7d-0e1f2a3b4c5d';

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
const WRITE = {
  at: '2030-01-31T18:01:00.000Z',
  runId: RUN_ID,
  accessoryId: ACCESSORY_ID,
  accessoryName: 'Hall Light',
  characteristicType: 'power_state',
  value: true,
  operation: null,
  error: null,
};
const REPORT = {
  automationId: FLOW_ID,
  automationName: 'Hall Light',
  startedAt: '2030-01-31T18:00:00.000Z',
  endedAt: '2030-01-31T18:04:00.000Z',
  stopped: null,
  runs: [],
  writes: [WRITE, { ...WRITE, at: '2030-01-31T18:04:00.000Z', value: false }],
  notifications: [],
  requests: [],
  events: [],
  commands: [],
  blocked: [],
  nextFireDates: [],
};

const MOMENT: JsonSchema = {
  type: ['string', 'number'],
  description:
    'ISO 8601 with a zone, seconds after the start, or a time of day (`07:30`): the first one from the start on, by the home’s clocks.',
};
const ANY: JsonSchema = {};
const recorded = (fields: Readonly<Record<string, JsonSchema>>, optional: readonly string[] = []): JsonSchema =>
  object({ at: time('On the dry run’s clock.'), runId: orNull(id('The run that did it.')), ...fields }, optional);

const EVENT_FIELDS = {
  at: MOMENT,
  set: object({ accessoryId: id(), characteristicType: text(), value: anyValue('What it comes to.') }),
  press: object({ accessoryId: id(), button: integer('From 1.'), value: oneOf(['single', 'double', 'long']) }, [
    'button',
    'value',
  ]),
  presence: object({ personId: id(), atHome: flag() }),
  move: object({ personId: id(), latitude: number(), longitude: number(), accuracyM: number('Metres.') }, [
    'accuracyM',
  ]),
  webhook: object({ webhookId: text('The flow’s own if left out.'), payload: ANY }, ['webhookId', 'payload']),
  event: object({ eventType: text(), eventData: ANY }, ['eventData']),
  reachable: object({ accessoryId: id(), reachable: flag() }),
  connected: object({ connected: flag('Whether the relay drives the home.') }),
};
const FIRING = {
  triggerId: text('Which of its triggers; as a manual run if left out.'),
  data: mapOf({}, 'Its details: `from_value`, `to_value`, `event_data`, `webhook_payload` …'),
  variables: mapOf({}, 'Put over the flow’s own.'),
};
const ANSWER = {
  url: text('The beginning of the URL; any if left out.'),
  method: text(),
  status: integer('200 if left out.'),
  headers: mapOf(text()),
  body: ANY,
  error: oneOf(['timeout', 'network'], 'There is no answer.'),
};

const SCENARIO_FIELDS = {
  data: {
    type: 'object',
    description:
      'A flow that is not saved, as `POST /rest/flows` takes it. With an id in the path: what that flow would become.',
  },
  document: 'The same as a text that the export of a flow wrote, YAML or JSON.',
  scenario: ref('SimulationScenario'),
};
const ANSWERED = {
  description: 'What it would do.',
  schema: ref('FlowSimulation'),
  example: REPORT,
};
const BOUNDS =
  'In the home as it is now, or as the scenario sets it. A dry run has at most 1,000 runs, 100,000 steps and 5 seconds of work; `stopped` names the limit that ended it.';

export const flowSimulation: Resource = {
  tag: 'Dry runs',
  description:
    'What a flow, or a native automation, would do: the same engine with the same triggers, conditions and actions in a copy of the home, on a clock that leaps from one thing that is due to the next. No device, no virtual accessory, no phone and no server is touched, and nothing is kept.',
  schemas: {
    SimulationScenario: object(
      {
        start: { ...MOMENT, description: `When it begins; now if left out. ${MOMENT.description}` },
        durationS: number(
          'Seconds; until all is quiet, at most a day after the last event, if left out. At most 31 days.',
        ),
        timeZone: text('The IANA time zone of the dry run; the home’s if left out.'),
        trigger: {
          ...object(FIRING, Object.keys(FIRING)),
          description: 'Triggers the automation at the start.',
        },
        events: arrayOf(
          object(EVENT_FIELDS, Object.keys(EVENT_FIELDS).slice(1)),
          'What happens: of each besides `at` one thing.',
        ),
        http: arrayOf(
          object(ANSWER, Object.keys(ANSWER)),
          'What servers answer: the first that fits. An empty 200 else.',
        ),
        others: flag('Whether the other automations of the home run too.'),
      },
      ['start', 'durationS', 'timeZone', 'trigger', 'events', 'http', 'others'],
    ),
    FlowSimulation: object({
      automationId: id('Of a flow without an id: one that was made up.'),
      automationName: text(),
      startedAt: time('On the dry run’s clock.'),
      endedAt: time('On the dry run’s clock.'),
      stopped: orNull(text('Why it could not go on to its end.')),
      runs: arrayOf(ref('Trace'), 'In the order in which they began; those that were refused among them.'),
      writes: arrayOf(
        recorded(
          {
            accessoryId: id(),
            accessoryName: text(),
            characteristicType: text('In snake_case.'),
            value: anyValue('What it was set to.'),
            operation: orNull(text('Of a virtual accessory: what was done to it.')),
            error: orNull(text('Why it was not taken.')),
            code: oneOf(ERROR_CODES, '`error` as a word.'),
          },
          ['code'],
        ),
      ),
      notifications: arrayOf(
        recorded({ automationId: orNull(id()), title: orNull(text()), message: text() }),
        'The notifications that would have been sent.',
      ),
      requests: arrayOf(
        recorded({
          method: text(),
          url: text(),
          headers: mapOf(text()),
          body: orNull(text()),
          status: orNull(integer('Of the answer that the scenario gave; `null`: there was none.')),
        }),
        'What would have been sent.',
      ),
      events: arrayOf(recorded({ eventType: text(), eventData: ANY }), 'What was fired for automations.'),
      commands: arrayOf(
        recorded({ automationId: id(), automationName: text(), action: oneOf(['enable', 'disable', 'trigger']) }),
        'What was asked of other automations.',
      ),
      blocked: arrayOf(
        object({
          at: time(),
          automationId: id(),
          automationName: text(),
          runId: id(),
          reason: oneOf(BLOCKED_REASONS),
        }),
        'What fired and became no run.',
      ),
      nextFireDates: arrayOf(time(), 'When the clock would fire it next after the end; at most five.'),
    }),
  },
  operations: [
    {
      method: 'post',
      path: '/rest/flows/simulate',
      id: 'simulateFlow',
      summary: 'What a flow that is not saved would do',
      description: BOUNDS,
      audience: 'view',
      body: {
        schema: FlowSimulation,
        fields: { homeId: 'The home that it would be in.', ...SCENARIO_FIELDS },
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
        schema: StoredFlowSimulation,
        optional: true,
        fields: SCENARIO_FIELDS,
        examples: { 'The next day': {}, Motion: { scenario: SCENARIO } },
      },
      answer: ANSWERED,
      errors: [422, 429],
    },
  ],
};
