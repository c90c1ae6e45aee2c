import { z } from 'zod';
import { field } from '../parsing/field.ts';
import { oneOf, PERSON_IDS } from '../parsing/field-kinds.ts';
import { parseWord } from '../parsing/fields.ts';
import { conditionKind } from './condition-kind.ts';

const ALL = ['anyone', 'everyone'] as const;
type PeopleChoice = (typeof ALL)[number] | readonly string[];

const WHO = field(
  'anyone, everyone or a list of ids of people',
  z.union([z.enum(ALL), z.array(z.uuid())]).meta({ description: '`anyone`, `everyone` or a list of ids.' }),
  (value, path, node): PeopleChoice =>
    Array.isArray(value) ? PERSON_IDS.parse(value, path, node) : parseWord(value, path, ALL),
);

const PLACES = { atHome: 'at home', notAtHome: 'away' } as const;

/**
 * Any person, every person, or all of some people are at home or away. A person with unknown location is neither. In a
 * home without people no person is anywhere, and deleted people are nowhere.
 */
export const presence = conditionKind({
  type: 'presence',
  fields: { event: oneOf(['atHome', 'notAtHome'], 'Where they must be.'), who: WHO },
  summarize({ event, who }) {
    return `${whoWords(who)} ${PLACES[event]}`;
  },
  evaluate({ event, who }, context) {
    const people = context.presence.people(context.homeId);
    const meant = typeof who === 'string' ? people : people.filter(({ id }) => who.includes(id));
    const isThere = ({ atHome }: { readonly atHome: boolean | null }): boolean => atHome === (event === 'atHome');
    const found = { people: meant.map(({ name, atHome }) => ({ name, atHome })) };
    if (who === 'anyone') return { passed: meant.some(isThere), found };
    const isComplete = meant.length > 0 && (who === 'everyone' || meant.length === new Set(who).size);
    return { passed: isComplete && meant.every(isThere), found };
  },
});

function whoWords(who: PeopleChoice): string {
  if (who === 'anyone') return 'Someone is';
  if (who === 'everyone') return 'Everyone is';
  return who.length === 1 ? 'One person is' : `${who.length} people are`;
}
