import { Hono } from 'hono';
import type { Caller } from '../../app/access/caller.ts';
import type { AccessoryFilter, Control } from '../../app/control/control.ts';
import type { Accessories } from '../../app/layout/accessories.ts';
import type { Homes } from '../../app/layout/homes.ts';
import { AccessoryChanges } from '../../contract/accessories.ts';
import type { Accessory } from '../../home/model.ts';
import { matchesTypeFilter } from '../../home/vocabulary/device-types.ts';
import { categoryTitle } from '../../home/vocabulary/hap-names.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { ApiEnv, GuardedRequest } from '../env.ts';
import { type AccessoryPresentation, presentAccessory } from '../present/accessory.ts';
import type { QuickResource } from '../quick/quick-routes.ts';
import { readInput } from '../read-body.ts';
import { queryId, queryText } from '../read-query.ts';
import { answerJson, type PlainAnswer } from '../respond.ts';
import { answered, cachedAnswer } from './answer-cached.ts';
import { RenderedAccessories } from './rendered-accessories.ts';

export interface AccessoryRoutesDeps extends AccessoryPresentation {
  readonly control: Control;
  readonly accessories: Accessories;
  readonly homes: Pick<Homes, 'list'>;
  readonly clock: Clock;
}

export function accessoryRoutes(deps: AccessoryRoutesDeps): QuickResource {
  const { control, accessories, homes, clock } = deps;
  const cache = new RenderedAccessories(deps);
  const present = (accessory: Accessory): object => presentAccessory(accessory, deps);
  const list = (c: GuardedRequest, caller: Caller, filter: AccessoryFilter): PlainAnswer | Promise<PlainAnswer> => {
    const { homeId, roomId, name, type } = filter;
    // Callers with the same homes see the same accessories: in this API permissions cover whole homes.
    const visible = homes.list(caller).map(({ id }) => id);
    const cached = cache.list(JSON.stringify([homeId, roomId, name, type, visible]), () =>
      control
        .listAccessories(caller, { homeId, roomId, name })
        .filter((accessory) => type === undefined || isOfType(accessory, type)),
    );
    return cachedAnswer(c, cached, clock.now());
  };
  const one = (c: GuardedRequest, caller: Caller, id: string): PlainAnswer | Promise<PlainAnswer> =>
    cachedAnswer(c, cache.one(control.getAccessory(caller, id)), clock.now());
  const routes = new Hono<ApiEnv>()
    .get('/', (c) =>
      answered(
        list(c, c.get('caller'), {
          homeId: queryId(c, 'home'),
          roomId: queryId(c, 'room'),
          name: queryText(c, 'name'),
          type: queryText(c, 'type')?.trim().toLowerCase(),
        }),
      ),
    )
    .get('/:id', (c) => answered(one(c, c.get('caller'), c.req.param('id'))))
    .get('/:id/uses', (c) => answerJson(accessories.usesOf(c.get('caller'), c.req.param('id'))))
    .patch('/:id', async (c) => {
      const changes = await readInput(c, AccessoryChanges);
      return answerJson(present(accessories.update(c.get('caller'), c.req.param('id'), changes)));
    })
    .post('/:id/identify', async (c) => {
      await control.identify(c.get('caller'), c.req.param('id'));
      return answerJson({ success: true });
    });
  return {
    routes,
    quick: [
      { method: 'GET', path: '/rest/accessories', answer: (c, caller) => list(c, caller, {}) },
      { method: 'GET', path: '/rest/accessories/:id', answer: (c, caller, { id }) => one(c, caller, id) },
    ],
  };
}

/** A device type, a service's name, or the title of the category, which is the type in this list (wire-facts §2.8). */
function isOfType(accessory: Accessory, type: string): boolean {
  return categoryTitle(accessory.category).toLowerCase() === type || matchesTypeFilter(accessory, type);
}
