import { Hono } from 'hono';
import type { ServiceGroups } from '../../app/groups/service-groups.ts';
import { NewServiceGroup, ServiceGroupChanges, ServiceGroupWrite } from '../../contract/service-groups.ts';
import type { HomeState } from '../../home/home-state.ts';
import type { ServiceGroup } from '../../home/model.ts';
import type { ApiEnv } from '../env.ts';
import { presentServiceGroup } from '../present/service-group.ts';
import { readInput } from '../read-body.ts';
import { queryId } from '../read-query.ts';
import { answerJson } from '../respond.ts';

export interface ServiceGroupRoutesDeps {
  readonly serviceGroups: ServiceGroups;
  readonly state: HomeState;
}

/** Service groups (API §2.2): controlled as one, and in the state tree beside the accessories. */
export function serviceGroupRoutes({ serviceGroups, state }: ServiceGroupRoutesDeps): Hono<ApiEnv> {
  const present = (group: ServiceGroup): object => presentServiceGroup(group, state);
  return new Hono<ApiEnv>()
    .get('/', (c) => answerJson(serviceGroups.list(c.get('caller'), queryId(c, 'home')).map(present)))
    .post('/', async (c) =>
      answerJson(present(serviceGroups.create(c.get('caller'), await readInput(c, NewServiceGroup)))),
    )
    .get('/:id', (c) => answerJson(present(serviceGroups.get(c.get('caller'), c.req.param('id')))))
    .patch('/:id', async (c) => {
      const changes = await readInput(c, ServiceGroupChanges);
      return answerJson(present(serviceGroups.update(c.get('caller'), c.req.param('id'), changes)));
    })
    .delete('/:id', (c) => {
      const caller = c.get('caller');
      const { id } = serviceGroups.get(caller, c.req.param('id'));
      serviceGroups.delete(caller, id);
      return answerJson({ success: true, groupId: id });
    })
    .post('/:id/set', async (c) => {
      const write = await readInput(c, ServiceGroupWrite);
      const { outcomes: _, ...result } = await serviceGroups.set(c.get('caller'), c.req.param('id'), write);
      return answerJson(result);
    });
}
