import { z } from 'zod';
import { EndedSession, EndedSessions, Session, SignedIn } from '../../../contract/users.ts';
import type { Resource } from '../operation.ts';

export const sessions: Resource = {
  tag: 'Sessions',
  description: 'Where people are signed in. A user sees their own, the command line all.',
  operations: [
    {
      method: 'get',
      path: '/rest/sessions',
      id: 'listSessions',
      summary: 'One’s own sessions',
      audience: 'session',
      answer: { description: 'The sessions, newest first.', schema: z.array(Session) },
    },
    {
      method: 'post',
      path: '/rest/sessions/renew',
      id: 'renewSession',
      summary: 'Stay signed in for seven days from now',
      description: 'The same session goes on. The token from before is good until its own end.',
      audience: 'session',
      answer: {
        description: 'Another token of the session.',
        schema: SignedIn,
      },
    },
    {
      method: 'get',
      path: '/rest/sessions/:id',
      id: 'getSession',
      summary: 'One of them',
      audience: 'session',
      answer: { description: 'The session.', schema: Session },
    },
    {
      method: 'delete',
      path: '/rest/sessions',
      id: 'endSessions',
      summary: 'End all of them',
      audience: 'session',
      query: [
        { name: 'exceptCurrent', description: '`true` keeps the one that asks.' },
        {
          name: 'user',
          description: 'For the command line: only this user’s.',
          schema: { type: 'string', format: 'uuid' },
        },
      ],
      answer: {
        description: 'How many there were.',
        schema: EndedSessions,
      },
      errors: [400],
    },
    {
      method: 'delete',
      path: '/rest/sessions/:id',
      id: 'endSession',
      summary: 'End a session at once',
      audience: 'session',
      answer: {
        description: 'Done.',
        schema: EndedSession,
      },
    },
  ],
};
