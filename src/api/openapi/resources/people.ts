import { NewPerson, PersonChanges, PresenceReport } from '../../rest/people.ts';
import { arrayOf, flag, id, number, object, orNull, ref, success, text, time } from '../json-schema.ts';
import type { Resource } from '../operation.ts';
import { HOME_ID } from './homes.ts';

const PERSON_ID = '7d1f0a53-52f3-4a43-9a51-3f6f0f4e9b10';

const PERSON = {
  id: PERSON_ID,
  name: 'Ada',
  homeId: HOME_ID,
  userId: null,
  atHome: true,
  changedAt: '2030-01-31T17:04:11.000Z',
  latitude: 52.52,
  longitude: 13.405,
  accuracy: 12,
  locatedAt: '2030-01-31T17:04:10.000Z',
};

export const people: Resource = {
  tag: 'People',
  description:
    'Who lives in a home and who is there. Phones report through `POST /owntracks`, anything else through the route for presence.',
  schemas: {
    Person: object({
      id: id(),
      name: text('Unique in the home, ignoring case.'),
      homeId: id(),
      userId: orNull(id('The account that they have.')),
      atHome: orNull(flag('`null` while it is unknown.')),
      changedAt: orNull(time('When `atHome` changed last.')),
      latitude: orNull(number('Where they were last, in degrees.')),
      longitude: orNull(number()),
      accuracy: orNull(number('How far off that may be, in metres.')),
      locatedAt: orNull(time('When they were there.')),
    }),
  },
  operations: [
    {
      method: 'get',
      path: '/rest/people',
      id: 'listPeople',
      summary: 'The people of a home, or of all homes',
      audience: 'token',
      query: [{ name: 'home', description: 'The id of a home; all that the token may see if left out.', schema: id() }],
      answer: { description: 'The people, by name.', schema: arrayOf(ref('Person')), example: [PERSON] },
      errors: [400, 404],
    },
    {
      method: 'post',
      path: '/rest/people',
      id: 'createPerson',
      summary: 'Add a person',
      audience: 'admin',
      body: {
        schema: NewPerson,
        fields: { homeId: 'The home.', name: 'As their phone calls them, if it is to report where they are.' },
        examples: { Person: { homeId: HOME_ID, name: 'Ada' } },
      },
      answer: { description: 'The person.', schema: ref('Person'), example: PERSON },
      errors: [404],
    },
    {
      method: 'get',
      path: '/rest/people/:id',
      id: 'getPerson',
      summary: 'One person',
      audience: 'view',
      answer: { description: 'The person.', schema: ref('Person'), example: PERSON },
    },
    {
      method: 'patch',
      path: '/rest/people/:id',
      id: 'renamePerson',
      summary: 'Rename a person, or link their account',
      audience: 'admin',
      body: {
        schema: PersonChanges,
        fields: { name: 'The new name.', userId: 'The id of a member of the home; `null` for none.' },
        examples: { 'Rename them': { name: 'Grace' }, 'Take the account away': { userId: null } },
      },
      answer: { description: 'The person as they are now.', schema: ref('Person'), example: PERSON },
      errors: [404],
    },
    {
      method: 'delete',
      path: '/rest/people/:id',
      id: 'deletePerson',
      summary: 'Remove a person',
      audience: 'admin',
      answer: {
        description: 'They are gone.',
        schema: success({ personId: id() }),
        example: { success: true, personId: PERSON_ID },
      },
    },
    {
      method: 'post',
      path: '/rest/people/:id/presence',
      id: 'setPresence',
      summary: 'Set whether a person is at home, or where they are',
      description: 'Either `atHome`, or a position: with one, the place and the radius of the home decide.',
      audience: 'control',
      body: {
        schema: PresenceReport,
        fields: {
          atHome: 'Whether they are at home.',
          latitude: 'Degrees, north positive.',
          longitude: 'Degrees, east positive.',
          accuracy: 'How far off it may be, in metres; 20 if left out.',
        },
        examples: {
          'At home': { atHome: true },
          Somewhere: { latitude: 52.51, longitude: 13.39, accuracy: 25 },
        },
      },
      answer: { description: 'The person as they are now.', schema: ref('Person'), example: PERSON },
    },
    {
      method: 'post',
      path: '/owntracks',
      id: 'reportOwnTracks',
      summary: 'A report of the OwnTracks app, in its HTTP mode',
      description:
        'The app signs in with a user name and, as password, an access token that may control the home. The person is the one whose ' +
        'name is the user (`X-Limit-U`, `?u=` or the user name); for a token that may manage the home, a new name makes a person. ' +
        'Reports that hold no position are taken and change nothing.',
      audience: 'control',
      query: [
        { name: 'u', description: 'The person’s name, where the header X-Limit-U is not sent.' },
        { name: 'home', description: 'The id of a home, where the person lives in several.', schema: id() },
      ],
      body: {
        schema: {
          type: 'object',
          required: ['_type'],
          properties: { _type: { type: 'string' } },
          additionalProperties: true,
        },
        examples: { 'A position': { _type: 'location', lat: 52.52, lon: 13.405, acc: 12, tst: 1896109450 } },
      },
      answer: { description: 'Nothing for the app to do.', schema: arrayOf({}), example: [] },
      errors: [400, 404, 422],
    },
  ],
};
