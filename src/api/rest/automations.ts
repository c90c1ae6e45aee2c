/** Native automations (API §2.4). Triggers and actions are JSON here, not JSON strings. */
import { Hono } from 'hono';
import { z } from 'zod';
import type { AutomationDrafts } from '../../app/automations/drafts/drafts.ts';
import type { Automation } from '../../app/automations/native/automation.ts';
import type { Automations } from '../../app/automations/native/automations.ts';
import { AutomationChanges, NewAutomation } from '../../contract/automations.ts';
import type { HomeState } from '../../home/home-state.ts';
import type { ApiEnv } from '../env.ts';
import { presentAutomation } from '../present/automation.ts';
import { withoutShown } from '../present/flow.ts';
import { readBody, readJson } from '../read-body.ts';
import { queryId } from '../read-query.ts';
import { answerJson } from '../respond.ts';

export interface AutomationRoutesDeps {
  readonly automations: Automations;
  readonly drafts: AutomationDrafts;
  readonly state: HomeState;
}

/** The home; the rest of the body is the draft, which the operation checks. */
const Envelope = z.looseObject({ homeId: z.string() });

export function automationRoutes({ automations, drafts, state }: AutomationRoutesDeps): Hono<ApiEnv> {
  const present = (automation: Automation): object => presentAutomation(automation, state);
  return new Hono<ApiEnv>()
    .get('/', (c) => answerJson(automations.list(c.get('caller'), queryId(c, 'home')).map(present)))
    .post('/', async (c) => answerJson(present(automations.create(c.get('caller'), await readBody(c, NewAutomation)))))
    .post('/drafts', async (c) => {
      const { homeId, ...data } = await readBody(c, Envelope);
      return answerJson(await drafts.save(c.get('caller'), { homeId, data: withoutShown(data) }));
    })
    .get('/:id/draft', (c) => answerJson(drafts.get(c.get('caller'), c.req.param('id'))))
    .put('/:id/draft', async (c) => {
      const data = withoutShown(await readJson(c));
      return answerJson(await drafts.replace(c.get('caller'), c.req.param('id').toLowerCase(), data));
    })
    .get('/:id', (c) => answerJson(present(automations.get(c.get('caller'), c.req.param('id')))))
    .patch('/:id', async (c) => {
      const changes = await readBody(c, AutomationChanges);
      return answerJson(present(automations.update(c.get('caller'), c.req.param('id'), changes)));
    })
    .delete('/:id', (c) => {
      const caller = c.get('caller');
      const { id } = automations.get(caller, c.req.param('id'));
      automations.delete(caller, id);
      return answerJson({ success: true, automationId: id });
    });
}
