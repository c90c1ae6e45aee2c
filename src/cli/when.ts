/** Formats times for users: `2026-01-15 13:00:05` in the wall clock of a zone. */

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone);
  if (!format) {
    format = new Intl.DateTimeFormat('en', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    });
    formats.set(zone, format);
  }
  return format;
}

/** @param at milliseconds */
function wallTime(at: number, zone: string): string {
  const parts = new Map(
    formatOf(zone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  );
  const of = (type: Intl.DateTimeFormatPartTypes): string => parts.get(type) ?? '';
  return `${of('year').padStart(4, '0')}-${of('month')}-${of('day')} ${of('hour')}:${of('minute')}:${of('second')}`;
}

/**
 * @param at ISO 8601; any other text stays unchanged.
 * @param zone of its home; `null` or omitted for the user's own.
 * @param own the user's zone. The text includes the other zone if its clock shows another time.
 */
export function whenText(at: string, zone: string | null | undefined, own: string): string {
  const ms = Date.parse(at);
  if (Number.isNaN(ms)) return at;
  const ownText = wallTime(ms, own);
  const text = zone ? wallTime(ms, zone) : ownText;
  return text === ownText ? text : `${text} (${zone})`;
}
