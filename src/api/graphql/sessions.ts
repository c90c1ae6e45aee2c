/** The places where a user is signed in. `deviceId`, as existing clients call it, is the session's id. */
import type { Session } from '../../app/users/sessions.ts';
import { presentTime } from '../present/time.ts';
import { builder, LIST } from './builder.ts';

const SessionType = builder.objectRef<Session>('Session').implement({
  description: 'A place where somebody is signed in. Times are ISO 8601 in UTC.',
  fields: (t) => ({
    id: t.exposeString('id', { nullable: false, description: 'A UUID.' }),
    deviceId: t.exposeString('id', { description: 'The same as `id`.' }),
    userId: t.exposeString('userId', { nullable: false, description: 'Who is signed in.' }),
    name: t.exposeString('device', {
      description: 'What it was made with, as that calls itself; null if it does not.',
    }),
    address: t.exposeString('address', { description: 'The network address that it was made from.' }),
    sessionType: t.string({ nullable: false, description: 'Always `session`.', resolve: () => 'session' }),
    isCurrent: t.exposeBoolean('isCurrent', { nullable: false, description: 'Whether the caller asks with it.' }),
    createdAt: t.string({ description: 'When it began.', resolve: ({ createdAt }) => presentTime(createdAt) }),
    expiresAt: t.string({ description: 'When it ends by itself.', resolve: ({ expiresAt }) => presentTime(expiresAt) }),
    lastSeenAt: t.string({
      description: 'When it was used last, to the minute.',
      resolve: ({ lastUsedAt }) => presentTime(lastUsedAt),
    }),
  }),
});

builder.queryFields((t) => ({
  sessions: t.field({
    type: [SessionType],
    nullable: LIST,
    description: 'The caller’s own sessions, newest first.',
    resolve: (_, __, { caller, deps }) => deps.sessions.list(caller),
  }),
  session: t.field({
    type: SessionType,
    description: 'One of them. NOT_FOUND if it is not the caller’s.',
    args: { deviceId: t.arg.string({ required: true }) },
    resolve: (_, { deviceId }, { caller, deps }) => deps.sessions.get(caller, deviceId),
  }),
}));

builder.mutationFields((t) => ({
  removeSession: t.boolean({
    description: 'Ends one of the caller’s sessions at once. NOT_FOUND if it is not theirs.',
    args: { deviceId: t.arg.string({ required: true }) },
    resolve: (_, { deviceId }, { caller, deps }) => {
      deps.sessions.end(caller, deviceId);
      return true;
    },
  }),
  removeOtherSessions: t.boolean({
    description: 'Ends all of the caller’s sessions but the one that asks.',
    resolve: (_, __, { caller, deps }) => {
      deps.sessions.endAll(caller, { exceptCurrent: true });
      return true;
    },
  }),
}));
