/**
 * Flows: the service's own automations (wire-facts §6.2), their runs, versions and documents. A flow is entirely JSON
 * here. Outlines, runs, traces and coming dates also exist for native automations, by their ids.
 */
import { Hono } from 'hono';
import { z } from 'zod';
import type { FiringSchedule } from '../../app/automations/engine/schedule.ts';
import type { Traces } from '../../app/automations/engine/traces.ts';
import type { Flow } from '../../app/automations/flow.ts';
import type { Flows } from '../../app/automations/flows/flows.ts';
import { presentDefinition, presentFlowVersion } from '../../app/automations/flows/present-flow.ts';
import type { Programs } from '../../app/automations/programs.ts';
import { MAX_FIRE_DATES, MAX_TRACES } from '../../contract/automation-runs.ts';
import { FlowChanges, FlowRun } from '../../contract/flows.ts';
import type { ApiContext, ApiEnv } from '../env.ts';
import type { GuardOptions } from '../guards.ts';
import { presentAdmission, presentFlow, withoutShown } from '../present/flow.ts';
import { presentTime } from '../present/time.ts';
import { presentTrace } from '../present/trace.ts';
import { checkEnvelope, readBody, readJson, readOptionalBody } from '../read-body.ts';
import { queryCount, queryId } from '../read-query.ts';
import { answerJson } from '../respond.ts';
import { webhookOrigin } from '../webhook-origin.ts';
import { exportFlow, importFlow } from './flow-documents.ts';

export interface FlowRoutesDeps {
  readonly flows: Flows;
  readonly programs: Programs;
  readonly traces: Traces;
  readonly schedule: FiringSchedule;
  readonly guards: GuardOptions;
}

/** The home; the rest of the body is the flow, which the operation checks. */
const Envelope = z.looseObject({ homeId: z.string() });

export function flowRoutes({ flows, programs, traces, schedule, guards }: FlowRoutesDeps): Hono<ApiEnv> {
  const originOf = webhookOrigin(guards);
  const show = (c: ApiContext, flow: Flow): Response => answerJson(presentFlow(flow, originOf(c)));
  return new Hono<ApiEnv>()
    .get('/', (c) => {
      const origin = originOf(c);
      return answerJson(flows.list(c.get('caller'), queryId(c, 'home')).map((flow) => presentFlow(flow, origin)));
    })
    .post('/', async (c) => {
      const data = await readJson(c);
      const { homeId } = checkEnvelope(data, Envelope);
      return show(c, await flows.saveInSlices(c.get('caller'), { homeId, data: withoutShown(data) }));
    })
    .get('/traces/:runId', (c) => answerJson(presentTrace(traces.get(c.get('caller'), c.req.param('runId')))))
    .post('/versions/:versionId/restore', async (c) =>
      show(c, await flows.restoreVersion(c.get('caller'), c.req.param('versionId'))),
    )
    .get('/:id', (c) => show(c, flows.get(c.get('caller'), c.req.param('id'))))
    .put('/:id', async (c) => {
      const { id: flowId, homeId } = flows.get(c.get('caller'), c.req.param('id'));
      const data = withoutShown(await readJson(c));
      return show(c, await flows.saveInSlices(c.get('caller'), { homeId, flowId, data }));
    })
    .patch('/:id', async (c) => show(c, await change(flows, c, await readBody(c, FlowChanges))))
    .delete('/:id', (c) => {
      const { id } = flows.get(c.get('caller'), c.req.param('id'));
      flows.delete(c.get('caller'), id);
      return answerJson({ success: true, flowId: id });
    })
    .post('/:id/enable', (c) => show(c, flows.setEnabled(c.get('caller'), c.req.param('id'), true)))
    .post('/:id/disable', (c) => show(c, flows.setEnabled(c.get('caller'), c.req.param('id'), false)))
    .post('/:id/run', async (c) => {
      const options = await readOptionalBody(c, FlowRun);
      return answerJson(presentAdmission(programs.run(c.get('caller'), c.req.param('id'), options)));
    })
    .get('/:id/outline', (c) => answerJson(programs.outline(c.get('caller'), c.req.param('id'))))
    .get('/:id/traces', (c) =>
      answerJson(traces.list(c.get('caller'), c.req.param('id'), queryCount(c, 'limit', MAX_TRACES)).map(presentTrace)),
    )
    .get('/:id/versions', (c) => answerJson(flows.versions(c.get('caller'), c.req.param('id')).map(presentFlowVersion)))
    .get('/:id/next', (c) => {
      const dates = schedule.nextFireDates(c.get('caller'), c.req.param('id'), queryCount(c, 'count', MAX_FIRE_DATES));
      return answerJson(dates.map((at) => presentTime(at)));
    })
    .get('/:id/export', (c) => exportFlow(flows, c));
}

/** A separate route, since its body may be YAML, which the guard of JSON bodies rejects. */
export function flowImport({ flows, guards }: FlowRoutesDeps): (c: ApiContext) => Promise<Response> {
  const originOf = webhookOrigin(guards);
  return async (c) => answerJson(presentFlow(await importFlow(flows, c), originOf(c)));
}

/** @throws what `saveInSlices` and `setEnabled` throw */
async function change(flows: Flows, c: ApiContext, { name, enabled }: FlowChanges): Promise<Flow> {
  const caller = c.get('caller');
  const flow = flows.get(caller, c.req.param('id') ?? '');
  if (name === undefined) return enabled === undefined ? flow : flows.setEnabled(caller, flow.id, enabled);
  const data = { ...presentDefinition(flow), name, enabled: enabled ?? flow.enabled };
  return flows.saveInSlices(caller, { homeId: flow.homeId, flowId: flow.id, data });
}
