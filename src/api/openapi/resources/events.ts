import { LIVE_EVENTS } from '../../live/live-event.ts';
import { arrayOf, oneOf, text } from '../json-schema.ts';
import type { Parameter, Resource } from '../operation.ts';

const TYPES = Object.entries(LIVE_EVENTS).map(([type, meaning]) => `- \`${type}\`: ${meaning}.`);

const DESCRIPTION = `Server-sent events to the end, \`: still here\` every fifteen seconds. An event's name is its type; its data is JSON:
\`{"type": …, "timestamp": …, "data": {…}}\`, \`data\` as webhooks have it. Types:

${TYPES.join('\n')}

A client that lost its connection sends the header \`Last-Event-ID\`, as browsers do by themselves, and goes on behind that event.
\`missed\` (\`{"reason": "overflow", "count": 12}\` or \`{"reason": "restarted"}\`) means that something is missing before what follows: read
the state again. \`count\` is of all events of the relay. \`end\` (\`{"reason": "revoked" | "stopping"}\`) is the last: the credentials count no
more, or the relay stops. Who takes nothing for a minute is cut off. What the token may not see is not in it, which is checked for each event.`;

const filter = (name: string, what: string): Parameter => ({
  name,
  description: `Only ${what}. May be given several times.`,
  schema: arrayOf(text()),
});

const EXAMPLE = `retry: 3000
id: 3f29c0d7a1b4-411

id: 3f29c0d7a1b4-412
event: accessory.reachability_changed
data: {"type":"accessory.reachability_changed","timestamp":"2030-01-31T12:00:00.000Z","data":{"accessoryName":"Lamp","isReachable":false}}

`;

export const events: Resource = {
  tag: 'Events',
  description: 'What happens in the home, as it happens.',
  operations: [
    {
      method: 'get',
      path: '/events',
      id: 'followEvents',
      summary: 'What happens, as it happens',
      description: DESCRIPTION,
      audience: 'token',
      query: [
        filter('home', 'what happens in this home: an id, or a key as in `/rest/state`'),
        filter('accessory', 'what is about this accessory: an id, or a key as in `/rest/state`'),
        { ...filter('type', 'events of this type'), schema: arrayOf(oneOf(Object.keys(LIVE_EVENTS))) },
        { name: 'lastEventId', description: 'The same as the header, for clients that can’t send it.' },
      ],
      answer: { description: 'The stream.', type: 'text/event-stream', schema: text(), example: EXAMPLE },
      errors: [400, 404, 429],
    },
  ],
};
