import { ENTITY_TYPES } from '../../../app/sharing/share.ts';
import type { JsonSchema } from '../../../contract/json-schema.ts';
import { NewShareBody, ShareChangesBody } from '../../rest/shares.ts';
import { arrayOf, flag, id, object, oneOf, orNull, ref, success, text, time } from '../json-schema.ts';
import type { Resource } from '../operation.ts';
import { HOME_ID } from './homes.ts';
import { ROOM_ID } from './rooms.ts';

const SHARE_ID = '0b8c6f7e-3d52-4a19-9c41-6e7f8a9b0c1d';
const HASH = 'AQJfnTwOelFKO4pVKx0OTzxNb2Zxc2lnbmVkd2l0aGFrZQ';

const SCHEDULE = {
  expires_at: '2030-02-01T10:00:00Z',
  time_windows: [{ days: ['fri', 'sat'], start: '18:00', end: '02:00' }],
  timezone: 'Europe/Berlin',
};

const SHARE = {
  id: SHARE_ID,
  entityType: 'room',
  entityId: ROOM_ID,
  entityName: 'Living Room',
  homeId: HOME_ID,
  accessType: 'public',
  role: 'control',
  name: 'Guests',
  hasPasscode: false,
  userId: null,
  userEmail: null,
  accessSchedule: SCHEDULE,
  requirePost: false,
  createdAt: '2030-01-31T12:00:00.000Z',
  shareHash: HASH,
  shareUrl: `http://192.168.1.5:5656/s/${HASH}`,
};

const SCHEDULE_FIELD: JsonSchema = {
  anyOf: [ref('AccessSchedule'), text('The same object as JSON text.'), { type: 'null' }],
  description: 'When it is open; always if left out.',
};

const ROLE = oneOf(['view', 'control'], 'What its visitors may do.');
const ENTITY_ID = 'A UUID; of a group inside a collection `<collectionId>:<groupId>`.';

const FIELDS = {
  passcode: 'Of type passcode: 4 to 128 characters, 6 or more where it may control. Never shown afterwards.',
  name: 'What you call it; none if left out.',
  accessSchedule: SCHEDULE_FIELD,
  requirePost: 'Whether GET may not act through it. Left out: GET may not open, unlock or disarm.',
};

export const shares: Resource = {
  tag: 'Shares',
  description:
    'Links for people who are no members of the home. An entity has one link, however many shares it has: each defines its visitors (everyone, everyone with a passcode, one user), its times, and what they may do; the best that applies counts. The link itself is `/s/{hash}`.',
  schemas: {
    Share: object({
      id: id(),
      entityType: oneOf(ENTITY_TYPES),
      entityId: text(ENTITY_ID),
      entityName: orNull(text('null once it is gone.')),
      homeId: orNull(id('null for collections.')),
      accessType: oneOf(['public', 'passcode', 'user']),
      role: ROLE,
      name: orNull(text('What its maker calls it.')),
      hasPasscode: flag(),
      userId: orNull(id('Of type user: whose.')),
      userEmail: orNull(text()),
      accessSchedule: orNull(ref('AccessSchedule')),
      requirePost: flag('Whether GET may not act through it, or not open, unlock or disarm.'),
      createdAt: time(),
      shareHash: text('The same for all shares of an entity.'),
      shareUrl: text('The link.'),
    }),
    AccessSchedule: object(
      {
        starts_at: text('ISO 8601; without an offset by the clocks of the time zone.'),
        expires_at: text('The same; the first moment at which it is closed.'),
        time_windows: arrayOf(ref('AccessWindow'), 'It is open within any of them.'),
        timezone: text('IANA; the home’s if left out.'),
      },
      ['starts_at', 'expires_at', 'time_windows', 'timezone'],
    ),
    AccessWindow: object(
      {
        days: arrayOf(
          oneOf(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']),
          'On which it begins; every day if left out.',
        ),
        start: text('`HH:MM`'),
        end: text('`HH:MM`; of the next day where it is not after `start`.'),
      },
      ['days'],
    ),
  },
  operations: [
    {
      method: 'get',
      path: '/rest/shares',
      id: 'listShares',
      summary: 'The shares of an entity or a home, or all that the caller made',
      description: 'Of an entity or a home for its owners and admins only.',
      audience: 'token',
      query: [
        { name: 'entityType', description: 'What kind of thing it is.', schema: oneOf([...ENTITY_TYPES, 'group']) },
        { name: 'entityId', description: ENTITY_ID },
        { name: 'home', description: 'The id of a home: everything in it that is shared, by whomever.', schema: id() },
      ],
      answer: { description: 'The shares.', schema: arrayOf(ref('Share')), example: [SHARE] },
      errors: [400, 403, 404, 422],
    },
    {
      method: 'post',
      path: '/rest/shares',
      id: 'createShare',
      summary: 'Share an entity',
      audience: 'admin',
      body: {
        schema: NewShareBody,
        fields: {
          entityType: 'accessory, accessory_group (or group), room, room_group, collection, collection_group or home.',
          entityId: ENTITY_ID,
          accessType: 'public, passcode or user.',
          role: 'view or control.',
          homeId: 'The home that it is expected in.',
          userEmail: 'Of type user: the address of an account.',
          ...FIELDS,
        },
        examples: {
          'With everybody': { entityType: 'room', entityId: ROOM_ID, accessType: 'public', role: 'control' },
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
      answer: { description: 'The share, with its link.', schema: ref('Share'), example: SHARE },
      errors: [404, 429],
    },
    {
      method: 'patch',
      path: '/rest/shares/:id',
      id: 'updateShare',
      summary: 'Change a share',
      audience: 'admin',
      body: {
        schema: ShareChangesBody,
        fields: { role: 'view or control.', ...FIELDS },
        examples: { 'Only look': { role: 'view' }, 'At any time': { accessSchedule: null } },
      },
      answer: { description: 'The share as it is now.', schema: ref('Share'), example: SHARE },
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
      answer: {
        description: 'It is gone.',
        schema: success({ shareId: id() }),
        example: { success: true, shareId: SHARE_ID },
      },
    },
  ],
};
