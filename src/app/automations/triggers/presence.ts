import { PRESENCE_EVENTS } from '../../../contract/automations.ts';
import { optional, type ValuesOf } from '../parsing/field.ts';
import { oneOf, PERSON_IDS } from '../parsing/field-kinds.ts';
import { capitalized, peopleWords } from '../words.ts';
import { type TriggerWatch, triggerKind } from './trigger-kind.ts';

export type PresenceEvent = (typeof PRESENCE_EVENTS)[number];

const FIELDS = { event: oneOf(PRESENCE_EVENTS, 'Who comes or leaves.'), personIds: optional(PERSON_IDS) };
type PresenceTrigger = ValuesOf<typeof FIELDS>;

const WORDS: Readonly<Record<PresenceEvent, (who: string) => string>> = {
  atHome: (who) => `${capitalized(who)} comes home`,
  notAtHome: (who) => `${capitalized(who)} leaves home`,
  firstArrival: (who) => `The first of ${who} comes home`,
  lastDeparture: (who) => `The last of ${who} leaves home`,
};

/** People arrive and leave. With `personIds` all other people are ignored. */
export const presence = triggerKind({
  type: 'presence',
  fields: FIELDS,
  summarize: ({ event, personIds }) => {
    const counts = event === 'firstArrival' || event === 'lastDeparture';
    if (!counts) return WORDS[event](peopleWords(personIds));
    return WORDS[event](personIds === undefined || personIds.length === 0 ? 'all' : `${personIds.length} people`);
  },
  watch(trigger, watch) {
    return watch.triggerDeps.bus.on('presence.changed', ({ homeId, personId, atHome }) => {
      if (homeId !== watch.homeId || !counts(trigger, personId)) return;
      if (isMeant(trigger, personId, atHome, watch)) watch.fire({ person_id: personId });
    });
  },
});

function isMeant(
  trigger: PresenceTrigger,
  personId: string,
  atHome: boolean,
  { homeId, triggerDeps }: TriggerWatch,
): boolean {
  const isAlone = (): boolean =>
    !triggerDeps.presence
      .people(homeId)
      .some((other) => other.id !== personId && counts(trigger, other.id) && other.atHome === true);
  const event: PresenceEvent = trigger.event;
  switch (event) {
    case 'atHome':
      return atHome;
    case 'notAtHome':
      return !atHome;
    case 'firstArrival':
      return atHome && isAlone();
    case 'lastDeparture':
      return !atHome && isAlone();
  }
}

function counts({ personIds }: PresenceTrigger, personId: string): boolean {
  return personIds === undefined || personIds.length === 0 || personIds.includes(personId);
}
