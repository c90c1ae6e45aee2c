import { Hono } from 'hono';
import type { Control } from '../../app/control/control.ts';
import type { Accessories } from '../../app/layout/accessories.ts';
import type { Homes } from '../../app/layout/homes.ts';
import { AccessoryChanges } from '../../contract/accessories.ts';
import type { Accessory } from '../../home/model.ts';
import { matchesTypeFilter } from '../../home/vocabulary/device-types.ts';
import { categoryTitle } from '../../home/vocabulary/hap-names.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { ApiEnv } from '../env.ts';
import { type AccessoryPresentation, presentAccessory } from '../present/accessory.ts';
import { readInput } from '../read-body.ts';
import { queryId, queryText } from '../read-query.ts';
import { answerJson } from '../respond.ts';
import { answerCached } from './answer-cached.ts';
import { RenderedAccessories } from './rendered-accessories.ts';

export interface AccessoryRoutesDeps extends AccessoryPresentation {
  readonly control: Control;
  readonly accessories: Accessories;
  readonly homes: Pick<Homes, 'list'>;
  readonly clock: Clock;
}

export function accessoryRoutes(deps: AccessoryRoutesDeps): Hono<ApiEnv> {
  const { control, accessories, homes, clock } = deps;
  const cache = new RenderedAccessories(deps);
  const present = (accessory: Accessory): object => presentAccessory(accessory, deps);
  return new Hono<ApiEnv>()
    .get('/', (c) => {
      const caller = c.get('caller');
      const homeId = queryId(c, 'home');
      const roomId = queryId(c, 'room');
      const name = queryText(c, 'name');
      const type = queryText(c, 'type')?.trim().toLowerCase();
      // Callers with the same homes see the same accessories: in this API permissions cover whole homes.
      const visible = homes.list(caller).map(({ id }) => id);
      const list = cache.list(JSON.stringify([homeId, roomId, name, type, visible]), () =>
        control
          .listAccessories(caller, { homeId, roomId, name })
          .filter((accessory) => type === undefined || isOfType(accessory, type)),
      );
      return answerCached(c, list, clock.now());
    })
    .get('/:id', (c) => {
      const accessory = control.getAccessory(c.get('caller'), c.req.param('id'));
      return answerCached(c, cache.one(accessory), clock.now());
    })
    .get('/:id/uses', (c) => answerJson(accessories.usesOf(c.get('caller'), c.req.param('id'))))
    .patch('/:id', async (c) => {
      const changes = await readInput(c, AccessoryChanges);
      return answerJson(present(accessories.update(c.get('caller'), c.req.param('id'), changes)));
    })
    .post('/:id/identify', async (c) => {
      await control.identify(c.get('caller'), c.req.param('id'));
      return answerJson({ success: true });
    });
}

/** A device type, a service's name, or the title of the category, which is the type in this list (wire-facts §2.8). */
function isOfType(accessory: Accessory, type: string): boolean {
  return categoryTitle(accessory.category).toLowerCase() === type || matchesTypeFilter(accessory, type);
}
