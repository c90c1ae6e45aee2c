/** IANA time zones: their names and their offset changes. The only file that uses Temporal. */
import { Temporal } from 'temporal-polyfill';

/** A period with a constant offset of a zone: from one change to the next. */
export interface ZoneSpan {
  /** The first millisecond of the span; -Infinity before the first change. */
  readonly from: number;
  /** The first millisecond after the span; Infinity after the last change. */
  readonly until: number;
  /** Wall time minus UTC, in milliseconds. */
  readonly offsetMs: number;
}

/**
 * Schedules look a few weeks back and some months ahead, rarely further. At two spans a year this is enough; kept per
 * zone.
 */
const KEPT_SPANS = 12;

/** Zone → its spans, most recently used first. */
const spansOf = new Map<string, ZoneSpan[]>();

/**
 * Whether it is the name of an IANA zone that this computer supports, in any case. A bare offset (`+02:00`) is not: it
 * has no rules.
 */
export function isTimeZone(text: string): boolean {
  if (!/^[A-Za-z]/.test(text)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
    return true;
  } catch {
    return false;
  }
}

let ownZone: string | undefined;

/** The computer's time zone at the first call; UTC if unknown. */
export function systemTimeZone(): string {
  if (ownZone === undefined) {
    const { timeZone } = new Intl.DateTimeFormat('en').resolvedOptions();
    ownZone = timeZone && isTimeZone(timeZone) ? timeZone : 'UTC';
  }
  return ownZone;
}

/** The time zone of a home: its own, otherwise the computer's. */
export function zoneOf(home: { readonly timeZone: string | null } | undefined): string {
  return home?.timeZone ?? systemTimeZone();
}

/** The span that contains the time. @throws `RangeError` for a zone that `isTimeZone` rejects */
export function spanAt(zone: string, atMs: number): ZoneSpan {
  let spans = spansOf.get(zone);
  const [latest] = spans ?? [];
  if (latest && latest.from <= atMs && atMs < latest.until) return latest;
  const known = spans?.findIndex(({ from, until }) => from <= atMs && atMs < until) ?? -1;
  const span = known > 0 ? (spans?.splice(known, 1)[0] as ZoneSpan) : readSpan(zone, atMs);
  if (!spans) {
    spans = [];
    spansOf.set(zone, spans);
  }
  spans.unshift(span);
  if (spans.length > KEPT_SPANS) spans.pop();
  return span;
}

function readSpan(zone: string, atMs: number): ZoneSpan {
  const at = Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(zone);
  // "previous" is exclusive: a change at exactly this time comes before the next millisecond.
  const from = at.add({ milliseconds: 1 }).getTimeZoneTransition('previous');
  const until = at.getTimeZoneTransition('next');
  return {
    from: from?.epochMilliseconds ?? Number.NEGATIVE_INFINITY,
    until: until?.epochMilliseconds ?? Number.POSITIVE_INFINITY,
    offsetMs: at.offsetNanoseconds / 1_000_000,
  };
}
