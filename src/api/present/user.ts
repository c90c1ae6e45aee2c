import type { User } from '../../app/users/user.ts';
import { presentTime } from './time.ts';

/** A user with an account. */
export function presentUser({ id, email, name, isFounder, createdAt, lastLoginAt }: User): object {
  return { id, email, name, isFounder, createdAt: presentTime(createdAt), lastLoginAt: presentTime(lastLoginAt) };
}
