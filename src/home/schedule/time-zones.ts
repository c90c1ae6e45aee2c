/** IANA time zones: which there are, and what their clocks do when. The one file that knows Temporal. */
import { Temporal } from 'temporal-polyfill';

/** A time in which a zone's clocks run evenly: from one change of its offset to the next. */
export interface ZoneSpan {
  /** The first moment of it; -Infinity before the first change. */
  readonly from: number;
  /** The first moment after it; Infinity after the last change. */
  readonly until: number;
  /** What its clocks show minus UTC, in milliseconds. */
  readonly offsetMs: number;
}

/** Plans look a few weeks back and some months ahead, rarely further: two spans a year are enough, and kept for each zone. */
const KEPT_SPANS = 12;

/** Zone → its spans, the last one used at the front. */
const spansOf = new Map<string, ZoneSpan[]>();

/** Whether it is the name of an IANA zone that this computer knows, in any case. A bare offset (`+02:00`) is none: it has no rules. */
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

/** The computer's own, as it was when it was asked first; UTC where it does not say. */
export function systemTimeZone(): string {
  if (ownZone === undefined) {
    const { timeZone } = new Intl.DateTimeFormat('en').resolvedOptions();
    ownZone = timeZone && isTimeZone(timeZone) ? timeZone : 'UTC';
  }
  return ownZone;
}

/** The zone that the clocks of a home show: the computer's, unless it says. */
export function zoneOf(home: { readonly timeZone: string | null } | undefined): string {
  return home?.timeZone ?? systemTimeZone();
}

/** The span that holds the moment. @throws `RangeError` for a zone that `isTimeZone` refuses */
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
  // "previous" is strictly before: the change at this very moment is the one before the next millisecond.
  const from = at.add({ milliseconds: 1 }).getTimeZoneTransition('previous');
  const until = at.getTimeZoneTransition('next');
  return {
    from: from?.epochMilliseconds ?? Number.NEGATIVE_INFINITY,
    until: until?.epochMilliseconds ?? Number.POSITIVE_INFINITY,
    offsetMs: at.offsetNanoseconds / 1_000_000,
  };
}
