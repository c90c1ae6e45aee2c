/** Native automations (API §2.4). Triggers and actions are JSON here, not JSON strings. */
import { Hono } from 'hono';
import type { Automation } from '../../app/automations/native/automation.ts';
import type { Automations } from '../../app/automations/native/automations.ts';
import { AutomationChanges, NewAutomation } from '../../contract/automations.ts';
import type { HomeState } from '../../home/home-state.ts';
import type { ApiEnv } from '../env.ts';
import { presentAutomation } from '../present/automation.ts';
import { readBody } from '../read-body.ts';
import { queryId } from '../read-query.ts';
import { answerJson } from '../respond.ts';

export interface AutomationRoutesDeps {
  readonly automations: Automations;
  readonly state: HomeState;
}

export function automationRoutes({ automations, state }: AutomationRoutesDeps): Hono<ApiEnv> {
  const present = (automation: Automation): object => presentAutomation(automation, state);
  return new Hono<ApiEnv>()
    .get('/', (c) => answerJson(automations.list(c.get('caller'), queryId(c, 'home')).map(present)))
    .post('/', async (c) => answerJson(present(automations.create(c.get('caller'), await readBody(c, NewAutomation)))))
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
