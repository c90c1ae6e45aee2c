import { Hono } from 'hono';
import type { VirtualAccessories } from '../../app/virtual-accessories/virtual-accessories.ts';
import {
  NewVirtualAccessory,
  VirtualAccessoryChanges,
  VirtualOperationRequest,
} from '../../contract/virtual-accessories.ts';
import type { Accessory } from '../../home/model.ts';
import type { ApiEnv } from '../env.ts';
import { type AccessoryPresentation, presentAccessory, presentTimer } from '../present/accessory.ts';
import { readInput } from '../read-body.ts';
import { queryId } from '../read-query.ts';
import { answerJson } from '../respond.ts';

export interface VirtualAccessoryRoutesDeps extends AccessoryPresentation {
  readonly virtuals: VirtualAccessories;
}

export function virtualAccessoryRoutes(deps: VirtualAccessoryRoutesDeps): Hono<ApiEnv> {
  const { virtuals } = deps;
  const present = (accessory: Accessory): object => presentAccessory(accessory, deps);
  return new Hono<ApiEnv>()
    .get('/', (c) => answerJson(virtuals.list(c.get('caller'), queryId(c, 'home')).map(present)))
    .post('/', async (c) =>
      answerJson(present(virtuals.create(c.get('caller'), await readInput(c, NewVirtualAccessory)))),
    )
    .get('/:id', (c) => answerJson(present(virtuals.get(c.get('caller'), c.req.param('id')))))
    .patch('/:id', async (c) => {
      const changes = await readInput(c, VirtualAccessoryChanges);
      return answerJson(present(virtuals.update(c.get('caller'), c.req.param('id'), changes)));
    })
    .delete('/:id', (c) => {
      const caller = c.get('caller');
      const { id } = virtuals.get(caller, c.req.param('id'));
      virtuals.delete(caller, id);
      return answerJson({ success: true, accessoryId: id });
    })
    .post('/:id/operate', async (c) => {
      const caller = c.get('caller');
      const { id } = virtuals.get(caller, c.req.param('id'));
      const { operation, value } = await readInput(c, VirtualOperationRequest);
      const result = virtuals.operate(caller, id, operation, value);
      const timer = result.timer === null ? {} : presentTimer(result.timer);
      return answerJson({ success: true, accessoryId: id, value: result.value, ...timer });
    });
}
