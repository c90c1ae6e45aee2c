/** People, and which of them are at home. */
import type { Person as KnownPerson } from '../../app/presence/person.ts';
import { NewPerson, Person, PresenceReport } from '../../contract/people.ts';
import { presentPerson } from '../present/person.ts';
import { given, HOME_CHECK, type Maybe, requireHome } from './arguments.ts';
import { builder, LIST } from './builder.ts';
import type { GraphqlContext } from './context.ts';
import { argumentsOf, fieldsOf } from './contract-fields.ts';
import { type ActionResult, MutationResult, reportOutcome } from './result.ts';

const PersonType = builder.objectRef<Person>('Person').implement({
  description: 'A person who lives in a home, and whether they are there.',
  fields: (t) => fieldsOf(t, Person),
});

const DeletePersonResult = builder.objectRef<ActionResult & { personId: string }>('DeletePersonResult').implement({
  description: 'Whether a person was removed.',
  interfaces: [MutationResult],
  fields: (t) => ({ personId: t.exposeString('personId', { description: 'The person.' }) }),
});

/** The person that arguments name. @throws `person_not_found` */
function getPerson({ caller, deps }: GraphqlContext, id: string, homeId: Maybe<string>): KnownPerson {
  return requireHome(deps.people.get(caller, id), homeId, 'person_not_found');
}

builder.queryFields((t) => ({
  people: t.field({
    type: [PersonType],
    nullable: LIST,
    description: 'The people of a home, by name.',
    args: { homeId: t.arg.string({ required: true }) },
    resolve: (_, { homeId }, { caller, deps }) => deps.people.list(caller, homeId).map(presentPerson),
  }),
}));

builder.mutationFields((t) => ({
  createPerson: t.field({
    type: PersonType,
    description: 'Adds a person. For admins of the home.',
    args: argumentsOf(t.arg, NewPerson),
    resolve: (_, { homeId, name, userId }, { caller, deps }) =>
      presentPerson(deps.people.create(caller, { homeId, name, userId })),
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
      presentPerson(context.deps.people.rename(context.caller, getPerson(context, personId, homeId).id, name)),
  }),
  linkPerson: t.field({
    type: PersonType,
    description: 'Links a person to the account of a member, or to none. For admins of the home.',
    args: {
      personId: t.arg.string({ required: true }),
      homeId: t.arg.string({ description: HOME_CHECK }),
      userId: t.arg.string({ description: 'The member; null, or left out, for no account.' }),
    },
    resolve: (_, { personId, homeId, userId }, context) =>
      presentPerson(context.deps.people.link(context.caller, getPerson(context, personId, homeId).id, userId ?? null)),
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
      ...argumentsOf(t.arg, PresenceReport),
    },
    resolve: (_, { personId, homeId, ...report }, context) => {
      const { id } = getPerson(context, personId, homeId);
      return presentPerson(context.deps.people.setPresence(context.caller, id, given(report)));
    },
  }),
}));
