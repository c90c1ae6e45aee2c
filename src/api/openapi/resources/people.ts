import { z } from 'zod';
import { EXAMPLE_ID } from '../../../contract/fields.ts';
import { DeletedPerson, NewPerson, Person, PersonChanges, PresenceReport } from '../../../contract/people.ts';
import { arrayOf, id } from '../json-schema.ts';
import type { Resource } from '../operation.ts';
import { ANY_HOME } from '../parameters.ts';
import { HOME_ID } from './homes.ts';

export const people: Resource = {
  tag: 'People',
  description:
    'Who lives in a home, which member each of them is, and who is there. Phones report through `POST /owntracks`, anything else through the route for presence.',
  operations: [
    {
      method: 'get',
      path: '/rest/people',
      id: 'listPeople',
      summary: 'The people of a home, or of all homes',
      audience: 'token',
      query: [ANY_HOME],
      answer: { description: 'The people, by name.', schema: z.array(Person) },
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
        examples: {
          Person: { homeId: HOME_ID, name: 'Ada' },
          'A member': { homeId: HOME_ID, name: 'Ada', userId: EXAMPLE_ID },
        },
      },
      answer: { description: 'The person.', schema: Person },
      errors: [404],
    },
    {
      method: 'get',
      path: '/rest/people/:id',
      id: 'getPerson',
      summary: 'One person',
      audience: 'view',
      answer: { description: 'The person.', schema: Person },
    },
    {
      method: 'patch',
      path: '/rest/people/:id',
      id: 'renamePerson',
      summary: 'Rename a person, or link their account',
      audience: 'admin',
      body: {
        schema: PersonChanges,
        examples: {
          'Rename them': { name: 'Grace' },
          'Link an account': { userId: EXAMPLE_ID },
          'Take the account away': { userId: null },
        },
      },
      answer: { description: 'The person as they are now.', schema: Person },
      errors: [404],
    },
    {
      method: 'delete',
      path: '/rest/people/:id',
      id: 'deletePerson',
      summary: 'Remove a person',
      audience: 'admin',
      answer: { description: 'They are gone.', schema: DeletedPerson },
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
        examples: {
          'At home': { atHome: true },
          Somewhere: { latitude: 52.51, longitude: 13.39, accuracy: 25 },
        },
      },
      answer: { description: 'The person as they are now.', schema: Person },
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
