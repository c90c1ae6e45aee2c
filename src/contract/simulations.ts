/** Dry runs of flows and native automations: the scenario, and the report. The operation parses the scenario. */
import { z } from 'zod';
import type { CharacteristicValue } from '../home/model.ts';
import { ERROR_CODES } from '../kernel/errors.ts';
import { BLOCKED_REASONS, Trace } from './automation-runs.ts';
import { anyObject, anyValue, flag, id, integer, number, text, time, word } from './fields.ts';
import type { Output } from './parse.ts';

const moment = (description: string) =>
  z.unknown().meta({
    type: ['string', 'number'],
    description: `${description} ISO 8601 with a zone, seconds after the start, or a time of day (\`07:30\`): the first one from the start on, by the home’s clocks.`,
  });
const headers = () => z.record(z.string(), z.string());

const Event = z.object({
  at: moment('When it happens.'),
  ...z
    .object({
      set: z.object({ accessoryId: id(), characteristicType: z.string(), value: anyValue('What it comes to.') }),
      press: z.object({
        accessoryId: id(),
        button: integer('From 1.').optional(),
        value: word(['single', 'double', 'long']).optional(),
      }),
      presence: z.object({ personId: id(), atHome: z.boolean() }),
      move: z.object({
        personId: id(),
        latitude: z.number(),
        longitude: z.number(),
        accuracyM: number('Metres.').optional(),
      }),
      webhook: z.object({ webhookId: text('The flow’s own if left out.'), payload: z.unknown() }).partial(),
      event: z.object({ eventType: z.string(), eventData: z.unknown().optional() }),
      reachable: z.object({ accessoryId: id(), reachable: z.boolean() }),
      connected: z.object({ connected: flag('Whether the relay drives the home.') }),
    })
    .partial().shape,
});

export const SimulationScenario = z
  .object({
    start: moment('When it begins; now if left out.'),
    durationS: number('Seconds; until all is quiet, at most a day after the last event, if left out. At most 31 days.'),
    timeZone: text('The IANA time zone of the dry run; the home’s if left out.'),
    trigger: z
      .object({
        triggerId: text('Which of its triggers; as a manual run if left out.'),
        data: anyObject('Its details: `from_value`, `to_value`, `event_data`, `webhook_payload` …'),
        variables: anyObject('Put over the flow’s own.'),
      })
      .partial()
      .describe('Triggers the automation at the start.'),
    events: z.array(Event).describe('What happens: of each besides `at` one thing.'),
    http: z
      .array(
        z
          .object({
            url: text('The beginning of the URL; any if left out.'),
            method: z.string(),
            status: integer('200 if left out.'),
            headers: headers(),
            body: z.unknown(),
            error: word(['timeout', 'network'], 'There is no answer.'),
          })
          .partial(),
      )
      .describe('What servers answer: the first that fits. An empty 200 else.'),
    others: flag('Whether the other automations of the home run too.'),
  })
  .partial()
  .meta({ id: 'SimulationScenario' });

const SUBJECT = {
  data: z
    .unknown()
    .meta({
      type: 'object',
      description:
        'A flow that is not saved, as `POST /rest/flows` takes it. With an id in the path: what that flow would become.',
    })
    .optional(),
  document: text('The same as a text that the export of a flow wrote, YAML or JSON.').optional(),
  scenario: z.unknown().meta({ $ref: 'SimulationScenario' }).optional(),
};
export const NewSimulation = z.strictObject({ homeId: text('The home that it would be in.'), ...SUBJECT });
export const StoredSimulation = z.strictObject(SUBJECT);

const CLOCK = 'On the dry run’s clock.';

/** What runs did, in chronological order. */
function recorded<Shape extends z.core.$ZodLooseShape>(description: string, shape: Shape) {
  const runId = id('The run that did it.').nullable();
  return z.array(z.object({ at: time(CLOCK), runId, ...shape })).describe(description);
}

export const FlowSimulation = z
  .object({
    automationId: id('Of a flow without an id: one that was made up.'),
    automationName: text('What it is called.', 'Hall Light'),
    startedAt: time(CLOCK),
    endedAt: time(CLOCK),
    stopped: text('Why it could not go on to its end, as a sentence.').nullable(),
    runs: z
      .array(Trace)
      .meta({ description: 'In the order in which they began; those that were refused among them.', examples: [[]] }),
    writes: recorded('What would have been set.', {
      accessoryId: id(),
      accessoryName: text('Its name.', 'Hall Light'),
      characteristicType: text('In snake_case.', 'power_state'),
      value: anyValue<CharacteristicValue>('What it was set to.', true),
      operation: text('Of a virtual accessory: what was done to it.').nullable(),
      error: text('Why it was not taken.').nullable(),
      code: word(ERROR_CODES, '`error` as a word.').optional(),
    }),
    notifications: recorded('The notifications that would have been sent.', {
      automationId: id().nullable(),
      title: text().nullable(),
      message: text('Its text.', 'It is dark'),
    }),
    requests: recorded('The requests that would have been sent.', {
      method: text('Of HTTP.', 'GET'),
      url: text('Where to.', 'https://example.com'),
      headers: headers(),
      body: text().nullable(),
      status: integer('Of the answer that the scenario gave; `null`: there was none.').nullable(),
    }),
    events: recorded('What was fired for automations.', {
      eventType: text('Its type.', 'bell'),
      eventData: z.unknown(),
    }),
    commands: recorded('What was asked of other automations.', {
      automationId: id(),
      automationName: text('What it is called.', 'Porch Light'),
      action: word(['enable', 'disable', 'trigger']),
    }),
    blocked: z
      .array(
        z.object({
          at: time(CLOCK),
          automationId: id(),
          automationName: text('What it is called.', 'Hall Light'),
          runId: id(),
          reason: word(BLOCKED_REASONS),
        }),
      )
      .describe('What fired and became no run.'),
    nextFireDates: z.array(time()).describe('When the clock would fire it next after the end; at most five.'),
  })
  .meta({ id: 'FlowSimulation' });
export type FlowSimulation = Output<typeof FlowSimulation>;
