/** Dry runs: what a flow or a native automation would do. */
import * as contract from '../../contract/simulations.ts';
import { withoutShown } from '../present/flow.ts';
import { presentSimulation } from '../present/simulation.ts';
import { given } from './arguments.ts';
import { builder } from './builder.ts';
import { fieldsOf, jsonFieldsOf } from './contract-fields.ts';
import { decodeJson } from './scalars.ts';

const FlowSimulation = builder.objectRef<contract.FlowSimulation>('FlowSimulation').implement({
  description:
    'What an automation would do. Nothing of it is done, sent or kept. Lists are JSON, in the shapes of REST.',
  fields: (t) => ({
    ...fieldsOf(t, contract.FlowSimulation),
    ...jsonFieldsOf(t, contract.FlowSimulation, ['JSON']),
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
