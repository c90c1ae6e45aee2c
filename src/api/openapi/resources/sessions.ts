import { arrayOf, flag, id, integer, object, orNull, ref, success, text, time } from '../json-schema.ts';
import type { Resource } from '../operation.ts';
import { USER } from './me.ts';

const SESSION = {
  id: '2a7f6d3c-1b54-4c8f-8f38-6a0e9d4c7b13',
  userId: USER.id,
  device: 'Mozilla/5.0 (X11; Linux x86_64)',
  address: '192.168.1.20',
  isCurrent: true,
  createdAt: '2030-01-31T12:00:00.000Z',
  expiresAt: '2030-02-07T12:00:00.000Z',
  lastUsedAt: '2030-01-31T12:05:00.000Z',
};

export const sessions: Resource = {
  tag: 'Sessions',
  description: 'Where people are signed in. Everybody sees their own, the command line all.',
  schemas: {
    Session: object({
      id: id(),
      userId: id(),
      device: orNull(text('What it was made with, as that calls itself.')),
      address: orNull(text('The network address that it was made from.')),
      isCurrent: flag('Whether the caller asks with it.'),
      createdAt: time(),
      expiresAt: time('When it ends by itself.'),
      lastUsedAt: orNull(time('To the minute.')),
    }),
  },
  operations: [
    {
      method: 'get',
      path: '/rest/sessions',
      id: 'listSessions',
      summary: 'One’s own sessions',
      audience: 'session',
      answer: { description: 'The sessions, newest first.', schema: arrayOf(ref('Session')), example: [SESSION] },
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
        schema: success({ token: text('For `Authorization: Bearer`.'), expiresAt: time(), user: ref('User') }),
        example: { success: true, token: 'eyJ…', expiresAt: '2030-02-07T12:00:00.000Z', user: USER },
      },
    },
    {
      method: 'get',
      path: '/rest/sessions/:id',
      id: 'getSession',
      summary: 'One of them',
      audience: 'session',
      answer: { description: 'The session.', schema: ref('Session'), example: SESSION },
    },
    {
      method: 'delete',
      path: '/rest/sessions',
      id: 'endSessions',
      summary: 'End all of them',
      audience: 'session',
      query: [
        { name: 'exceptCurrent', description: '`true` keeps the one that asks.' },
        { name: 'user', description: 'For the command line: only this user’s.', schema: id() },
      ],
      answer: {
        description: 'How many there were.',
        schema: success({ ended: integer() }),
        example: { success: true, ended: 2 },
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
        schema: success({ sessionId: id() }),
        example: { success: true, sessionId: SESSION.id },
      },
    },
  ],
};
