import { Hono } from 'hono';
import { z } from 'zod';
import type { VirtualAccessories } from '../../app/virtual-accessories/virtual-accessories.ts';
import type { Accessory } from '../../home/model.ts';
import type { ApiEnv } from '../env.ts';
import { type AccessoryPresentation, presentAccessory, presentTimer } from '../present/accessory.ts';
import { readBody } from '../read-body.ts';
import { queryId } from '../read-query.ts';
import { answerJson } from '../respond.ts';

export interface VirtualAccessoryRoutesDeps extends AccessoryPresentation {
  readonly virtuals: VirtualAccessories;
}

const Duration = z.union([
  z.number(),
  z.string(),
  z.strictObject({ hours: z.number().optional(), minutes: z.number().optional(), seconds: z.number().optional() }),
]);

/** The fields of every kind: the operation checks which of them a kind accepts, and their values. */
const KindFields = {
  icon: z.string().nullable(),
  controllable: z.boolean(),
  initial: z.unknown(),
  initialValue: z.unknown(),
  options: z.array(z.string()),
  min: z.number().nullable(),
  max: z.number().nullable(),
  step: z.number(),
  unit: z.string().nullable(),
  control: z.string(),
  duration: Duration,
  durationMs: z.number(),
  restoreOnRestart: z.boolean(),
  minLength: z.number(),
  maxLength: z.number(),
  pattern: z.string().nullable(),
  hasDate: z.boolean(),
  hasTime: z.boolean(),
};

const optionalKindFields = z.strictObject(KindFields).partial().shape;

export const NewVirtualAccessory = z.strictObject({
  homeId: z.string(),
  name: z.string(),
  type: z.string(),
  roomId: z.string().nullish(),
  ...optionalKindFields,
});

export const VirtualAccessoryChanges = z.strictObject({
  name: z.string().optional(),
  type: z.string().optional(),
  roomId: z.string().nullish(),
  ...optionalKindFields,
});

export const VirtualOperationRequest = z.strictObject({ operation: z.string(), value: z.unknown().optional() });

export function virtualAccessoryRoutes(deps: VirtualAccessoryRoutesDeps): Hono<ApiEnv> {
  const { virtuals } = deps;
  const present = (accessory: Accessory): object => presentAccessory(accessory, deps);
  return new Hono<ApiEnv>()
    .get('/', (c) => answerJson(virtuals.list(c.get('caller'), queryId(c, 'home')).map(present)))
    .post('/', async (c) =>
      answerJson(present(virtuals.create(c.get('caller'), await readBody(c, NewVirtualAccessory)))),
    )
    .get('/:id', (c) => answerJson(present(virtuals.get(c.get('caller'), c.req.param('id')))))
    .patch('/:id', async (c) => {
      const changes = await readBody(c, VirtualAccessoryChanges);
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
      const { operation, value } = await readBody(c, VirtualOperationRequest);
      const result = virtuals.operate(caller, id, operation, value);
      const timer = result.timer === null ? {} : presentTimer(result.timer);
      return answerJson({ success: true, accessoryId: id, value: result.value, ...timer });
    });
}
