import { z } from 'zod';
import { StateByNames, StateFilters, StateQuery, StateReport, StateTree, StateWrite } from '../../../contract/state.ts';
import type { Operation, Resource } from '../operation.ts';

const FILTERS = StateQuery.extend(
  Object.fromEntries(
    Object.keys(StateFilters.shape).map((name) => [
      `filter_by_${name}`,
      z.string().optional().describe(`The same as \`${name}\`, and asks for the name-based form.`),
    ]),
  ),
);

const READ: Omit<Operation, 'path' | 'id'> = {
  method: 'get',
  summary: 'The state of everything, simplified',
  description:
    'home key › room key › accessory key › properties. Values stand as the devices last reported them: no device is asked, so it can be polled. Send the ETag back in If-None-Match and nothing is answered while nothing has changed.',
  audience: 'token',
  query: FILTERS,
  answer: {
    description: 'The tree of slug keys, or the name-based form.',
    schema: z.union([StateTree, StateByNames]),
    headers: { ETag: 'For If-None-Match.' },
  },
  errors: [304, 400],
};

export const state: Resource = {
  tag: 'State',
  description: 'Read and write the home by simple properties.',
  operations: [
    { ...READ, path: '/rest/state', id: 'getState' },
    { ...READ, path: '/rest', id: 'getRoot', summary: 'The same as GET /rest/state' },
    {
      method: 'post',
      path: '/rest/state',
      id: 'setState',
      summary: 'Set properties of any number of accessories',
      description:
        'Waits for the devices. A property that can’t be set does not stop the others: the answer is 200, and `errors` lists what failed. 403 if the token may control none of the homes named.',
      audience: 'control',
      body: {
        schema: StateWrite,
        examples: {
          'By keys, as GET /rest/state shows them': {
            my_home_1a2b: { living_room_3c4d: { ceiling_lamp_9f3c: { on: true, brightness: 80 } } },
          },
          'By names': { home: 'My Home', room: 'Living Room', accessory: 'Ceiling Lamp', on: true },
          'Several by names': [
            { home: 'My Home', room: 'Living Room', accessory: 'Ceiling Lamp', on: false },
            { home: 'My Home', room: 'Hall', accessory: 'Front Door', lock_target: true },
          ],
        },
      },
      answer: { description: 'What was done and what was not.', schema: StateReport },
      errors: [404, 503],
    },
  ],
};
