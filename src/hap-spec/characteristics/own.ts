/**
 * Characteristics that HAP lacks, as our own vendor types. Virtual accessories have a mode, a counter or a timer; a
 * virtual switch uses HAP's power state. Lamps of devices have `adaptive_lighting`, which the relay adds.
 */
import { also, CONTROL, row } from '../characteristic-row.ts';
import type { HapFormat } from '../formats.ts';

/**
 * @param digits the three digits that distinguish our types; the rest is a random UUID that never changes.
 * @param shorts further names that clients use, such as those without `virtual_`.
 */
function own<const Digits extends string, const Name extends string>(
  digits: Digits,
  name: Name,
  format: HapFormat,
  ...shorts: readonly string[]
) {
  return row(
    `48440${digits}-8E1C-4F2D-A3B7-5D0C9E6F1A42`,
    name,
    name.replaceAll('_', '-'),
    format,
    CONTROL,
    also(...shorts),
  );
}

export const OWN = [
  own('101', 'virtual_mode', 'string', 'mode'),
  own('102', 'virtual_count', 'int', 'count'),
  own('103', 'virtual_timer', 'string', 'timer'),
  own('104', 'virtual_number', 'float', 'number'),
  own('105', 'virtual_text', 'string', 'text'),
  own('106', 'virtual_datetime', 'string', 'datetime'),
  own('107', 'adaptive_lighting', 'bool'),
] as const;
