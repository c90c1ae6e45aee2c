import { ENTITY_TYPES } from '../../../home/vocabulary/sharing.ts';
import { VERBS } from '../../share/verbs.ts';
import { arrayOf, flag, id, integer, object, oneOf, ref, text } from '../json-schema.ts';
import type { Operation, Parameter, Resource } from '../operation.ts';

const PATH_PARAMETERS = {
  hash: 'Of the share. Everyone who knows it has the link.',
  value: 'A number, see there.',
  hue: 'Degrees, 0 to 360.',
  saturation: 'Percent, 0 to 100.',
};

const PASSCODE: Parameter = {
  name: 'passcode',
  description: 'For shares that need one, or give more with it.',
};

const ACCESSORY_PREFIX: Parameter = {
  name: 'accessory',
  description: 'Only accessories whose id begins with this.',
};

const LAMP = {
  id: '8d1f6b0e-5a7c-4e0d-9f53-2b7c61a4d3e8',
  name: 'Lamp',
  reachable: true,
  room: 'Living Room',
  services: [
    {
      serviceType: 'lightbulb',
      characteristics: [{ characteristicType: 'power_state', value: true, isWritable: true }],
    },
  ],
};

const STATE = { success: true, entity_type: 'room', role: 'control', accessories: [LAMP] };

const REPORT = { success: true, updated: 1, failed: 0, changes: ['Lamp: on=true'], errors: [] };

/** The effect of each verb, by its path below `/s/{hash}`. */
const SUMMARIES: Readonly<Record<string, string>> = {
  on: 'Switch on',
  off: 'Switch off',
  toggle: 'Switch off what is on, or everything on if nothing is',
  lock: 'Lock what has a lock',
  unlock: 'Unlock what has a lock',
  'brightness/:value': 'Set the brightness, 0 to 100 percent',
  'hue/:value': 'Set the hue, 0 to 360 degrees',
  'saturation/:value': 'Set the saturation, 0 to 100 percent',
  'temp/:value': 'Set the colour temperature, 140 to 500 mireds',
  'position/:value': 'Set the position, 0 (closed) to 100 percent (open)',
  'color/:hue/:saturation': 'Set hue and saturation together',
};

export const shareLinks: Resource = {
  tag: 'Share links',
  description:
    'What everyone with the link of a share may see and do, without a token. A verb acts on every accessory of the share that has the property. GET acts too, unless the share is set to act on POST only; requests that a browser makes in advance, previews of links and HEAD never act. Browsers that ask for HTML get a page at the same addresses.',
  schemas: {
    SharedState: object({
      success: { const: true },
      entity_type: oneOf(ENTITY_TYPES),
      role: oneOf(['view', 'control']),
      accessories: arrayOf(ref('SharedAccessory')),
    }),
    SharedAccessory: object({
      id: id(),
      name: text(),
      reachable: flag(),
      room: text('The name of its room.'),
      services: arrayOf(
        object({
          serviceType: text('`lightbulb`, `lock` …'),
          characteristics: arrayOf(
            object({
              characteristicType: text('`power_state`, `brightness` …'),
              value: { type: ['boolean', 'number', 'string', 'null'] },
              isWritable: flag('By the device; the role of the share decides whether by its visitors.'),
            }),
          ),
        }),
      ),
    }),
    ShareReport: object({
      success: flag('Something was set and nothing failed.'),
      updated: integer('Accessories that took it.'),
      failed: integer('Accessories that did not.'),
      changes: arrayOf(text('`<accessory>: on=true`')),
      errors: arrayOf(text('`<accessory>.<property>: <reason>`')),
    }),
  },
  operations: [
    {
      method: 'get',
      path: '/s/:hash',
      id: 'getSharedState',
      summary: 'What the accessories of a share do now',
      audience: 'everyone',
      pathParameters: PATH_PARAMETERS,
      query: [PASSCODE, ACCESSORY_PREFIX],
      answer: {
        description: 'The share.',
        schema: ref('SharedState'),
        example: STATE,
        also: { type: 'text/html', schema: text('A page, for browsers.') },
      },
      errors: [403, 429],
    },
    {
      method: 'get',
      path: '/s/:hash/events',
      id: 'followSharedState',
      summary: 'The same, live',
      description:
        'Server-sent events: `state` with the whole state, at first and after each change; `end` when the share is closed, or the relay stops.',
      audience: 'everyone',
      pathParameters: PATH_PARAMETERS,
      query: [PASSCODE, ACCESSORY_PREFIX, { name: 'view', description: '`page`: in the words of our own page.' }],
      answer: { description: 'The stream.', type: 'text/event-stream', schema: text() },
      errors: [403, 429],
    },
    {
      method: 'get',
      path: '/s/:hash/qr.svg',
      id: 'getShareQrCode',
      summary: 'The link as a QR code',
      audience: 'everyone',
      pathParameters: PATH_PARAMETERS,
      answer: { description: 'A picture.', type: 'image/svg+xml', schema: text() },
      errors: [429],
    },
    ...VERBS.flatMap(({ path }) => [describeVerb('get', path), describeVerb('post', path)]),
  ],
};

function describeVerb(method: 'get' | 'post', path: string): Operation {
  const [word = ''] = path.split('/');
  const summary = SUMMARIES[path];
  if (summary === undefined) throw new Error(`The reference does not describe /s/{hash}/${path} does`);
  return {
    method,
    path: `/s/:hash/${path}`,
    id: `${method === 'get' ? 'share' : 'postShare'}${word[0]?.toUpperCase()}${word.slice(1)}`,
    summary,
    audience: 'everyone',
    pathParameters: PATH_PARAMETERS,
    query: [PASSCODE],
    answer: { description: 'What became of it.', schema: ref('ShareReport'), example: REPORT },
    errors: [403, 422, 429],
  };
}
