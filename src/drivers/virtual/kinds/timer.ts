import { HearthError } from '../../../kernel/errors.ts';
import { checkDuration, parseDuration } from './duration.ts';
import { type KindInput, refusedField } from './fields.ts';
import { type Held, isNothing, type OperationRequest, requireNoInput, type VirtualKind } from './kind.ts';
import { typesNamed } from './spec-types.ts';
import { cancelRun, finishRun, pauseRun, resumeRun, startRun, statusOf, type TimerRun } from './timer-run.ts';

const { serviceType, type } = typesNamed('virtual_timer');

const DEFAULT_DURATION_MS = 5 * 60_000;

/**
 * Counts down on the wall clock. Its value is its status. `timer-run.ts` holds its runs, `../timer-deadlines.ts` its
 * deadline.
 */
export const timer: VirtualKind<'timer'> = {
  type: 'timer',
  word: 'timer',
  noun: 'a timer',
  serviceType,
  category: 10,
  fields: ['duration', 'durationMs', 'restoreOnRestart'],
  operations: ['start', 'pause', 'resume', 'cancel', 'finish'],
  parse: (fields, current) => ({
    durationMs: parseOwnDuration(fields, current?.durationMs ?? DEFAULT_DURATION_MS),
    // Clients may send this field; every timer is restored, regardless of its value.
    restoreOnRestart: fields.boolean('restoreOnRestart', current?.restoreOnRestart ?? true),
  }),
  characteristic: () => ({ type, format: 'string', textRule: { kind: 'timer' } }),
  initialValue: () => 'idle',
  /** `active` starts a timer that does not run; any other value stops it, a paused one too (API §4.1.1). */
  write(config, held, value, now) {
    if (value === 'active') return held.value === 'active' ? held : holdRun(startRun(held.run, config.durationMs, now));
    return cancel(held);
  },
  operate(config, request) {
    const { operation, input, held, now } = request;
    if (operation !== 'start') requireNoInput(operation, input);
    const { run } = held;
    switch (operation) {
      case 'start': {
        const durationMs = isNothing(input) ? config.durationMs : parseDuration(input, 'value');
        return holdRun(startRun(run, durationMs, now));
      }
      case 'pause':
        return held.value === 'paused' ? held : holdRun(pauseRun(requireRun(request, ['active']), now));
      case 'resume':
        return held.value === 'active' ? held : holdRun(resumeRun(requireRun(request, ['paused']), now));
      case 'finish':
        return holdRun(finishRun(requireRun(request, ['active', 'paused']), now));
      default:
        return cancel(held);
    }
  },
};

export function holdRun(run: TimerRun): Held {
  return { value: statusOf(run), run };
}

function cancel(held: Held): Held {
  return held.run === null || held.value === 'idle' ? held : holdRun(cancelRun(held.run));
}

/** @throws `conflict` */
function requireRun({ operation, held }: OperationRequest, statuses: readonly string[]): TimerRun {
  const { run } = held;
  const status = statusOf(run);
  if (run !== null && statuses.includes(status)) return run;
  throw new HearthError(
    'conflict',
    `The timer is ${status}: ${operation} needs one that is ${statuses.join(' or ')}.`,
    { reason: 'timer_state' },
  );
}

function parseOwnDuration(fields: KindInput, fallback: number): number {
  if (fields.has('duration') && fields.has('durationMs')) {
    throw refusedField('duration', 'give it or durationMs, not both');
  }
  if (fields.has('durationMs')) return checkDuration(fields.raw('durationMs'), 'durationMs');
  return fields.has('duration') ? parseDuration(fields.raw('duration'), 'duration') : fallback;
}
