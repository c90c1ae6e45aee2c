/** People, and which of them are at home. */
import type { Person } from '../../app/presence/person.ts';
import { presentTime } from '../present/time.ts';
import { given, HOME_CHECK, type Maybe, requireHome } from './arguments.ts';
import { builder, LIST } from './builder.ts';
import type { GraphqlContext } from './context.ts';
import { MutationResult, type Outcome, reportOutcome } from './result.ts';

const PersonType = builder.objectRef<Person>('Person').implement({
  description: 'A person who lives in a home, and whether they are there.',
  fields: (t) => ({
    id: t.exposeString('id', { nullable: false, description: 'A UUID.' }),
    name: t.exposeString('name', { nullable: false, description: 'Unique in the home, ignoring case.' }),
    homeId: t.exposeString('homeId', { nullable: false, description: 'The home.' }),
    atHome: t.exposeBoolean('atHome', { description: 'Whether they are at home; null while it is not set.' }),
    changedAt: t.string({
      description: 'When that changed last, ISO 8601.',
      resolve: ({ changedAt }) => presentTime(changedAt),
    }),
    latitude: t.float({
      description: 'Where they were last, in degrees.',
      resolve: ({ fix }) => fix?.latitude ?? null,
    }),
    longitude: t.float({ description: 'The same, east positive.', resolve: ({ fix }) => fix?.longitude ?? null }),
    accuracy: t.float({
      description: 'How far off that may be, in metres.',
      resolve: ({ fix }) => fix?.accuracyM ?? null,
    }),
    locatedAt: t.string({
      description: 'When they were there, ISO 8601.',
      resolve: ({ fix }) => presentTime(fix?.at ?? null),
    }),
  }),
});

const DeletePersonResult = builder.objectRef<Outcome & { personId: string }>('DeletePersonResult').implement({
  description: 'Whether a person was removed.',
  interfaces: [MutationResult],
  fields: (t) => ({ personId: t.exposeString('personId', { description: 'The person.' }) }),
});

/** The person that arguments name. @throws `person_not_found` */
function getPerson({ caller, deps }: GraphqlContext, id: string, homeId: Maybe<string>): Person {
  return requireHome(deps.people.get(caller, id), homeId, 'person_not_found');
}

builder.queryFields((t) => ({
  people: t.field({
    type: [PersonType],
    nullable: LIST,
    description: 'The people of a home, by name.',
    args: { homeId: t.arg.string({ required: true }) },
    resolve: (_, { homeId }, { caller, deps }) => deps.people.list(caller, homeId),
  }),
}));

builder.mutationFields((t) => ({
  createPerson: t.field({
    type: PersonType,
    description: 'Adds a person. For admins of the home.',
    args: {
      homeId: t.arg.string({ required: true }),
      name: t.arg.string({
        required: true,
        description: 'As their phone calls them, if it is to report where they are.',
      }),
    },
    resolve: (_, input, { caller, deps }) => deps.people.create(caller, input),
  }),
  renamePerson: t.field({
    type: PersonType,
    description: 'Renames a person. For admins of the home.',
    args: {
      personId: t.arg.string({ required: true }),
      homeId: t.arg.string({ description: HOME_CHECK }),
      name: t.arg.string({ required: true }),
    },
    resolve: (_, { personId, homeId, name }, context) =>
      context.deps.people.rename(context.caller, getPerson(context, personId, homeId).id, name),
  }),
  deletePerson: t.field({
    type: DeletePersonResult,
    description: 'Removes a person. For admins of the home.',
    args: { personId: t.arg.string({ required: true }), homeId: t.arg.string({ description: HOME_CHECK }) },
    resolve: (_, { personId, homeId }, context) =>
      reportOutcome(
        () => {
          const { id } = getPerson(context, personId, homeId);
          context.deps.people.delete(context.caller, id);
          return { personId: id };
        },
        { personId },
      ),
  }),
  setPresence: t.field({
    type: PersonType,
    description:
      'Sets whether a person is at home, or where they are: then the home’s location and radius decide. For callers who may control the home.',
    args: {
      personId: t.arg.string({ required: true }),
      homeId: t.arg.string({ description: HOME_CHECK }),
      atHome: t.arg.boolean({ description: 'Either this, or a position.' }),
      latitude: t.arg.float({ description: 'Degrees, north positive.' }),
      longitude: t.arg.float({ description: 'Degrees, east positive.' }),
      accuracy: t.arg.float({ description: 'How far off it may be, in metres; 20 if left out.' }),
    },
    resolve: (_, { personId, homeId, ...report }, context) =>
      context.deps.people.setPresence(context.caller, getPerson(context, personId, homeId).id, given(report)),
  }),
}));
