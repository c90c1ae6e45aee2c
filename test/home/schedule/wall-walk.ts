/**
 * What a zone's clocks show, minute by minute, asked of Intl alone, and what must come of a pattern there by the plain
 * wording of the rule: no arithmetic of the planner's is used. Slow, and obviously right.
 */

const MINUTE_MS = 60_000;

export interface WallMinute {
  readonly hour: number;
  readonly minute: number;
  /** 0 = Sunday … 6 = Saturday. */
  readonly weekday: number;
}

/** Each minute from `from` until `until`, with what the clocks show then: as a number that only serves to compare. */
export function walk(zone: string, from: number, until: number): readonly { at: number; shown: number }[] {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  });
  const minutes: { at: number; shown: number }[] = [];
  for (let at = from; at < until; at += MINUTE_MS) {
    const [month, day, year, hour, minute] = format
      .format(at)
      .split(/[^\d]+/)
      .map(Number) as number[];
    minutes.push({ at, shown: Date.UTC(year ?? 0, (month ?? 0) - 1, day, hour, minute) / MINUTE_MS });
  }
  return minutes;
}

/**
 * The moments at which a pattern must come, each once: a minute that clocks show comes the first time that they do; one
 * that they leave out comes at the first moment after it.
 */
export function expectedMoments(
  minutes: readonly { at: number; shown: number }[],
  isDue: (minute: WallMinute) => boolean,
): readonly number[] {
  const firstShownAt = new Map<number, number>();
  for (const { at, shown } of minutes) if (!firstShownAt.has(shown)) firstShownAt.set(shown, at);
  const moments = new Set<number>();
  const first = minutes[0]?.shown ?? 0;
  const last = minutes.at(-1)?.shown ?? 0;
  for (let shown = first; shown <= last; shown++) {
    const date = new Date(shown * MINUTE_MS);
    const minute = { hour: date.getUTCHours(), minute: date.getUTCMinutes(), weekday: date.getUTCDay() };
    if (!isDue(minute)) continue;
    const at = firstShownAt.get(shown) ?? minutes.find((later) => later.shown > shown)?.at;
    if (at !== undefined) moments.add(at);
  }
  return [...moments].sort((a, b) => a - b);
}

/** By how much the zone's clocks are ahead of UTC, as Intl reports it. Milliseconds. */
export function offsets(zone: string): (at: number) => number {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset', year: 'numeric' });
  return (at) => {
    const [, sign = '+', hours = 0, minutes = 0] = /GMT(?:([+-])(\d\d):(\d\d))?/.exec(format.format(at)) ?? [];
    return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * MINUTE_MS;
  };
}
