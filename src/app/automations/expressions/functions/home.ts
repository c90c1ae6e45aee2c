/** Functions that read the home. A value that is missing or not known yet is `null`. */
import type { CharacteristicRef } from '../../../../home/model.ts';
import { deviceType } from '../../../../home/vocabulary/device-types.ts';
import type { Json } from '../../../../kernel/json.ts';
import { findThing, type ReadableThing, readThing, type SourcedValue } from '../accessory-lookup.ts';
import type { Evaluation } from '../evaluation.ts';
import { ExpressionFault } from '../fault.ts';
import { looseEqual } from '../values.ts';
import { type FunctionDefinition, needDurationMs, needText } from './function-row.ts';

const MS_PER_SECOND = 1000;

/** The cost of finding and reading an object. */
const LOOK_UP_STEPS = 50;

export const HOME_FUNCTIONS: readonly FunctionDefinition[] = [
  {
    signature: 'states(accessory, characteristic?)',
    summary: 'The value that a characteristic has; of the main one (whether it is on) where none is named.',
    call: ([accessory, characteristic], evaluation) => readingOf(evaluation, accessory, characteristic)?.value ?? null,
  },
  {
    signature: 'is_state(accessory, characteristic?, value)',
    summary: 'Whether it has that value.',
    call(args, evaluation) {
      const [accessory, characteristic, value = null] = args.length === 2 ? [args[0], undefined, args[1]] : args;
      const found = readingOf(evaluation, accessory, characteristic)?.value ?? null;
      return found !== null && looseEqual(found, value, evaluation.work);
    },
  },
  {
    signature: 'state_attr(accessory, attribute)',
    summary: 'Its id, name, room, type, reachable or last_seen (a moment), or any characteristic.',
    call: ([accessory, attribute], evaluation) =>
      attributeOf(evaluation, accessory, needText(attribute, 'the attribute')),
  },
  {
    signature: 'last_changed(accessory, characteristic?)',
    summary: 'The moment of its last change since the daemon started.',
    call([accessory, characteristic], evaluation) {
      const last = lastChanged(evaluation, readingOf(evaluation, accessory, characteristic));
      return last && last.at / MS_PER_SECOND;
    },
  },
  {
    signature: 'count_changed_within(accessory, characteristic?, duration)',
    summary: 'How often it changed in the last so many seconds, up to 100 and since the daemon started.',
    call(args, evaluation) {
      const [accessory, characteristic, duration] = args.length === 2 ? [args[0], undefined, args[1]] : args;
      const ms = needDurationMs(duration, 'the duration');
      const { sources = [] } = readingOf(evaluation, accessory, characteristic) ?? {};
      evaluation.now();
      const { changes } = evaluation.deps;
      return sources.reduce((sum, { accessoryId, iid }) => sum + changes.countWithin(accessoryId, iid, ms), 0);
    },
  },
  {
    signature: 'manual_override(accessory, characteristic?, duration?)',
    summary: 'Whether its last change, within the given number of seconds, was not made by an automation.',
    call(args, evaluation) {
      const [accessory, second, third] = args;
      const isDuration = args.length === 2 && typeof second !== 'string';
      const [characteristic, duration] = isDuration ? [undefined, second] : [second, third];
      const last = lastChanged(evaluation, readingOf(evaluation, accessory, characteristic));
      if (!last || last.ours) return false;
      if (duration === undefined) return true;
      return evaluation.now() - last.at <= needDurationMs(duration, 'the duration');
    },
  },
  {
    signature: 'virtual(accessory, field?)',
    summary:
      'The value of a virtual accessory; of a timer also its duration, remaining (seconds), ends_at or finished_at.',
    call: ([accessory, field], evaluation) => virtualField(evaluation, accessory, field),
  },
];

function thingOf(evaluation: Evaluation, reference: Json | undefined): ReadableThing | undefined {
  evaluation.work.spend(LOOK_UP_STEPS);
  const { deps: triggerDeps, homeId, accessoryIds } = evaluation;
  if (reference === null) return undefined;
  const thing = findThing(triggerDeps.state, homeId, needText(reference, 'the accessory'));
  if (!thing) evaluation.missesThing = true;
  for (const id of thing?.accessoryIds ?? []) accessoryIds.add(id);
  return thing;
}

function readingOf(
  evaluation: Evaluation,
  reference: Json | undefined,
  characteristic: Json | undefined,
): SourcedValue | undefined {
  const thing = thingOf(evaluation, reference);
  if (!thing) return undefined;
  const spelling = characteristic === undefined ? undefined : needText(characteristic, 'the characteristic');
  return readThing(evaluation.deps.state, thing, spelling);
}

function attributeOf(evaluation: Evaluation, reference: Json | undefined, attribute: string): Json {
  const thing = thingOf(evaluation, reference);
  if (!thing) return null;
  const { accessory } = thing;
  switch (attribute.toLowerCase()) {
    case 'id':
      return accessory.id;
    case 'name':
      return accessory.name;
    case 'room':
      return evaluation.deps.state.room(accessory.roomId)?.name ?? null;
    case 'type':
      return deviceType(accessory);
    case 'reachable':
      return accessory.reachable;
    case 'last_seen':
      return accessory.lastSeenAt && accessory.lastSeenAt / MS_PER_SECOND;
    default:
      return readThing(evaluation.deps.state, thing, attribute).value;
  }
}

/** The last change of any part of a reading. Wall time, milliseconds. */
function lastChanged(
  { deps: { changes } }: Evaluation,
  reading: SourcedValue | undefined,
): { readonly at: number; readonly ours: boolean } | null {
  const at = ({ accessoryId, iid }: CharacteristicRef): number => changes.lastChangedAt(accessoryId, iid) ?? -1;
  const [last] = [...(reading?.sources ?? [])].sort((a, b) => at(b) - at(a));
  if (!last || at(last) < 0) return null;
  return { at: at(last), ours: changes.lastWasOurs(last.accessoryId, last.iid) ?? false };
}

function virtualField(evaluation: Evaluation, reference: Json | undefined, field: Json | undefined): Json {
  const thing = thingOf(evaluation, reference);
  if (!thing) return null;
  const { deps: triggerDeps } = evaluation;
  if (thing.accessory.virtual === null) throw new ExpressionFault(`'${thing.accessory.name}' is no virtual accessory`);
  if (field === undefined) return readThing(triggerDeps.state, thing).value;
  const timer = triggerDeps.timerOf(thing.accessory.id);
  if (!timer) throw new ExpressionFault(`'${thing.accessory.name}' is no timer, and only timers have fields`);
  const name = needText(field, 'the field');
  const read = Object.hasOwn(TIMER_FIELDS, name) ? TIMER_FIELDS[name] : undefined;
  if (!read) throw new ExpressionFault(`a timer has ${Object.keys(TIMER_FIELDS).join(', ')}, not '${name}'`);
  if (name === 'remaining') evaluation.now();
  return read(timer);
}

type Timer = NonNullable<ReturnType<Evaluation['deps']['timerOf']>>;

const TIMER_FIELDS: Readonly<Record<string, (timer: Timer) => Json>> = {
  state: ({ status }) => status,
  duration: ({ durationMs }) => durationMs / MS_PER_SECOND,
  remaining: ({ remainingMs }) => remainingMs && remainingMs / MS_PER_SECOND,
  ends_at: ({ endsAt }) => endsAt && endsAt / MS_PER_SECOND,
  finished_at: ({ finishedAt }) => finishedAt && finishedAt / MS_PER_SECOND,
};
