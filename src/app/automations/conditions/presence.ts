import type { ConditionOf } from '../flow.ts';
import type { ConditionKind } from './condition-kind.ts';

const PLACES = { atHome: 'at home', notAtHome: 'away' } as const;

/**
 * Any person, every person, or all of some people are at home or away. A person with unknown location is neither. In a
 * home without people no person is anywhere, and deleted people are nowhere.
 */
export const presence: ConditionKind<'presence'> = {
  type: 'presence',
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
};

function whoWords(who: ConditionOf<'presence'>['who']): string {
  if (who === 'anyone') return 'Somebody is';
  if (who === 'everyone') return 'Everybody is';
  return who.length === 1 ? 'One person is' : `${who.length} people are`;
}
