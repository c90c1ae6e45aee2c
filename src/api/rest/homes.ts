import { Hono } from 'hono';
import { z } from 'zod';
import type { Access } from '../../app/access/authorize.ts';
import type { Caller } from '../../app/access/caller.ts';
import type { Homes } from '../../app/layout/homes.ts';
import type { HomeState } from '../../home/home-state.ts';
import type { Home, HomeLocation } from '../../home/model.ts';
import { slugKey } from '../../home/slug.ts';
import type { ApiEnv } from '../env.ts';
import { answerJson } from '../respond.ts';
import { readBody } from './request.ts';

export interface HomeRoutesDeps {
  readonly homes: Homes;
  readonly state: HomeState;
  readonly access: Access;
}

export const NewHome = z.strictObject({ name: z.string() });
export const HomeChanges = z.strictObject({
  name: z.string().optional(),
  paused: z.boolean().optional(),
  privileges: z.string().optional(),
  timeZone: z.string().nullable().optional(),
  /** The operation checks its content. */
  location: z.record(z.string(), z.unknown()).nullable().optional(),
});

export function homeRoutes(deps: HomeRoutesDeps): Hono<ApiEnv> {
  const { homes } = deps;
  return new Hono<ApiEnv>()
    .get('/', (c) => {
      const caller = c.get('caller');
      return answerJson(homes.list(caller).map((home) => presentHome(deps, caller, home)));
    })
    .post('/', async (c) => {
      const caller = c.get('caller');
      return answerJson(presentHome(deps, caller, homes.create(caller, await readBody(c, NewHome))));
    })
    .patch('/:id', async (c) => {
      const caller = c.get('caller');
      const home = homes.update(caller, c.req.param('id'), await readBody(c, HomeChanges));
      return answerJson(presentHome(deps, caller, home));
    })
    .delete('/:id', (c) => {
      const caller = c.get('caller');
      const { id } = homes.get(caller, c.req.param('id'));
      homes.delete(caller, id);
      return answerJson({ success: true, homeId: id });
    });
}

/** The API document's fields, and those that existing clients read (wire-facts §2.8). */
export function presentHome({ state, access, homes }: HomeRoutesDeps, caller: Caller, home: Home): object {
  const { id, name, paused, privileges, timeZone, location } = home;
  return {
    id,
    name,
    key: slugKey(name, id),
    connected: state.isConnected(id),
    role: access.roleIn(caller, id),
    isPrimary: homes.list(caller)[0]?.id === id,
    isAdmin: privileges === 'edit',
    roomCount: state.rooms(id).length,
    accessoryCount: state.accessories(id).length,
    paused,
    privileges,
    timeZone,
    location: location && presentLocation(location),
  };
}

function presentLocation({ latitude, longitude, radiusM: radius }: HomeLocation): object {
  return { latitude, longitude, radius };
}
