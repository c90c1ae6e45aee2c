import type { Role } from '../../app/access/caller.ts';

/** What each role lets a person do in a home, after "You may". */
export const ROLE_WORDS: Readonly<Record<Role, string>> = {
  view: 'see what is going on',
  control: 'see and control everything',
  admin: 'control and set up everything, and invite others',
  owner: 'do everything, as its owner',
};
