/** The places where a user is signed in. `deviceId`, as existing clients call it, is the session's id. */
import { Session } from '../../contract/users.ts';
import { presentSession } from '../present/user.ts';
import { builder, LIST } from './builder.ts';
import { fieldsOf } from './contract-fields.ts';

const SessionType = builder.objectRef<Session>('Session').implement({
  description: 'A device or browser where a person is signed in. Times are ISO 8601 in UTC.',
  fields: (t) => ({
    ...fieldsOf(t, Session.omit({ device: true, lastUsedAt: true }), ['createdAt', 'expiresAt']),
    deviceId: t.exposeString('id', { description: 'The same as `id`.' }),
    name: t.exposeString('device', {
      description: 'What it was made with, as that calls itself; null if it does not.',
    }),
    sessionType: t.string({ nullable: false, description: 'Always `session`.', resolve: () => 'session' }),
    lastSeenAt: t.exposeString('lastUsedAt', { description: 'When it was used last, to the minute.' }),
  }),
});

builder.queryFields((t) => ({
  sessions: t.field({
    type: [SessionType],
    nullable: LIST,
    description: 'The caller’s own sessions, newest first.',
    resolve: (_, __, { caller, deps }) => deps.sessions.list(caller).map(presentSession),
  }),
  session: t.field({
    type: SessionType,
    description: 'One of them. NOT_FOUND if it is not the caller’s.',
    args: { deviceId: t.arg.string({ required: true }) },
    resolve: (_, { deviceId }, { caller, deps }) => presentSession(deps.sessions.get(caller, deviceId)),
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
