import { z } from 'zod';
import { DeletedShare, NewShare, Share, ShareChanges, SharesQuery } from '../../../contract/shares.ts';
import type { Resource } from '../operation.ts';
import { HOME_ID } from './homes.ts';
import { ROOM_ID } from './rooms.ts';

const SCHEDULE = {
  expires_at: '2030-02-01T10:00:00Z',
  time_windows: [{ days: ['fri', 'sat'], start: '18:00', end: '02:00' }],
  timezone: 'Europe/Berlin',
};

export const shares: Resource = {
  tag: 'Shares',
  description:
    'Links for people who are no members of the home. An entity has one link, however many shares it has: each defines its visitors (everyone, everyone with a passcode, one user), its times, and what they may do; the best that applies counts. The link itself is `/s/{hash}`.',
  operations: [
    {
      method: 'get',
      path: '/rest/shares',
      id: 'listShares',
      summary: 'The shares of an entity or a home, or all that the caller made',
      description: 'Of an entity or a home for its owners and admins only.',
      audience: 'token',
      query: SharesQuery,
      answer: { description: 'The shares.', schema: z.array(Share) },
      errors: [400, 403, 404, 422],
    },
    {
      method: 'post',
      path: '/rest/shares',
      id: 'createShare',
      summary: 'Share an entity',
      audience: 'admin',
      body: {
        schema: NewShare,
        examples: {
          'With everyone who has the link': {
            entityType: 'room',
            entityId: ROOM_ID,
            accessType: 'public',
            role: 'control',
          },
          'For the weekend, with a passcode': {
            entityType: 'home',
            entityId: HOME_ID,
            accessType: 'passcode',
            role: 'view',
            passcode: '493817',
            accessSchedule: SCHEDULE,
          },
        },
      },
      answer: { description: 'The share, with its link.', schema: Share },
      errors: [404, 429],
    },
    {
      method: 'patch',
      path: '/rest/shares/:id',
      id: 'updateShare',
      summary: 'Change a share',
      audience: 'admin',
      body: {
        schema: ShareChanges,
        examples: { 'Only look': { role: 'view' }, 'At any time': { accessSchedule: null } },
      },
      answer: { description: 'The share as it is now.', schema: Share },
      errors: [429],
    },
    {
      method: 'delete',
      path: '/rest/shares/:id',
      id: 'deleteShare',
      summary: 'End a share',
      description:
        'At once. With the last share of an entity its link is dead for good: sharing it again makes another one.',
      audience: 'admin',
      answer: { description: 'It is gone.', schema: DeletedShare },
    },
  ],
};
