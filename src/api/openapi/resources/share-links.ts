import { SharedState, ShareReport } from '../../../contract/share-links.ts';
import { VERBS } from '../../share/verbs.ts';
import { text } from '../json-schema.ts';
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
        schema: SharedState,
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
    answer: { description: 'What became of it.', schema: ShareReport },
    errors: [403, 422, 429],
  };
}
