/** Dry runs: what a flow or a native automation would do. */
import { withoutShown } from '../present/flow.ts';
import { presentSimulation, type ShownSimulation } from '../present/simulation.ts';
import { given } from './arguments.ts';
import { builder } from './builder.ts';
import { decodeJson } from './scalars.ts';

/** The contents of a dry run, one object each. */
const JSON_LIST: { readonly type: ['JSON']; readonly nullable: false } = { type: ['JSON'], nullable: false };

const FlowSimulation = builder.objectRef<ShownSimulation>('FlowSimulation').implement({
  description:
    'What an automation would do. Nothing of it is done, sent or kept. Lists are JSON, in the shapes of REST.',
  fields: (t) => ({
    automationId: t.exposeString('automationId', { nullable: false, description: 'The automation in question.' }),
    automationName: t.exposeString('automationName', { nullable: false, description: 'What it is called.' }),
    startedAt: t.exposeString('startedAt', { nullable: false, description: 'ISO 8601, on the dry run’s clock.' }),
    endedAt: t.exposeString('endedAt', { nullable: false, description: 'ISO 8601, on the dry run’s clock.' }),
    stopped: t.exposeString('stopped', {
      description: 'Where it could not go on to its end: why, as a sentence.',
    }),
    runs: t.expose('runs', {
      ...JSON_LIST,
      description: 'The traces, in the order in which the runs began; those that were refused among them.',
    }),
    writes: t.expose('writes', {
      ...JSON_LIST,
      description: '`{at, runId, accessoryId, accessoryName, characteristicType, value, operation, error}`.',
    }),
    notifications: t.expose('notifications', {
      ...JSON_LIST,
      description: '`{at, runId, automationId, title, message}`.',
    }),
    requests: t.expose('requests', {
      ...JSON_LIST,
      description: '`{at, runId, method, url, headers, body, status}`.',
    }),
    events: t.expose('events', {
      ...JSON_LIST,
      description: 'What was fired for automations: `{at, runId, eventType, eventData}`.',
    }),
    commands: t.expose('commands', {
      ...JSON_LIST,
      description: 'What was asked of other automations: `{at, runId, automationId, automationName, action}`.',
    }),
    blocked: t.expose('blocked', {
      ...JSON_LIST,
      description: 'What fired and became no run: `{at, automationId, automationName, runId, reason}`.',
    }),
    nextFireDates: t.exposeStringList('nextFireDates', {
      nullable: false,
      description: 'When the clock would fire it next after the end, ISO 8601; at most five.',
    }),
  }),
});

builder.queryFields((t) => ({
  simulateFlow: t.field({
    type: FlowSimulation,
    description:
      'A dry run: what a flow, or a native automation, would do in the home as it is now or as the scenario sets it. Give `flowId`, or `data` and `homeId`, or `flowId` and what it would become as `data`.',
    args: {
      homeId: t.arg.string({ description: 'The home; may be left out with `flowId`.' }),
      flowId: t.arg.string({ description: 'The flow’s id, or a native automation’s.' }),
      data: t.arg({
        type: 'JSON',
        description: 'A flow that is not saved, as an object or a text that holds it in JSON.',
      }),
      scenario: t.arg({
        type: 'JSON',
        description:
          '`{start, durationS, trigger, events, http, others, timeZone}`, described in the reference of REST (`/docs/api`, "Dry runs").',
      }),
    },
    async resolve(_, args, { caller, deps }) {
      const { homeId, flowId, data, scenario } = given(args);
      const report = await deps.simulations.simulate(caller, {
        homeId,
        automationId: flowId,
        data: data === undefined ? undefined : withoutShown(decodeJson(data, 'data')),
        scenario: scenario === undefined ? undefined : decodeJson(scenario, 'scenario'),
      });
      return presentSimulation(report);
    },
  }),
}));
