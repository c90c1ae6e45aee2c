/** The accounts of the relay, for the user who claimed it and for the command line. */
import { Hono } from 'hono';
import type { SecondFactors } from '../../app/users/second-factors.ts';
import type { Users } from '../../app/users/users.ts';
import { NewPassword, NewUser, UserChanges } from '../../contract/users.ts';
import type { ApiEnv } from '../env.ts';
import { presentUser } from '../present/user.ts';
import { readInput } from '../read-body.ts';
import { answerJson } from '../respond.ts';

interface UserRouteDeps {
  readonly users: Users;
  readonly secondFactors: SecondFactors;
}

export function userRoutes({ users, secondFactors }: UserRouteDeps): Hono<ApiEnv> {
  return new Hono<ApiEnv>()
    .get('/', (c) => answerJson(users.list(c.get('caller')).map(presentUser)))
    .post('/', async (c) => {
      const user = await users.create(c.get('caller'), await readInput(c, NewUser));
      return answerJson(presentUser(user));
    })
    .patch('/:id', async (c) => {
      const { name } = await readInput(c, UserChanges);
      return answerJson(presentUser(users.rename(c.get('caller'), c.req.param('id'), name)));
    })
    .post('/:id/password', async (c) => {
      const { password } = await readInput(c, NewPassword);
      const { id } = await users.setPassword(c.get('caller'), c.req.param('id'), password);
      return answerJson({ success: true, userId: id });
    })
    .delete('/:id/second-factor', (c) => {
      const { id } = secondFactors.reset(c.get('caller'), c.req.param('id'));
      return answerJson({ success: true, userId: id });
    })
    .delete('/:id', (c) => {
      users.delete(c.get('caller'), c.req.param('id'));
      return answerJson({ success: true, userId: c.req.param('id').toLowerCase() });
    });
}
