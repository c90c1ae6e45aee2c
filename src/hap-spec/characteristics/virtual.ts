/**
 * The characteristics of virtual accessories. HAP has none for a mode, a counter or a timer, so they are our own vendor
 * types. A virtual switch needs none: it uses HAP's power state. Each accessory has its own range.
 */
import { also, CONTROL, row } from '../characteristic-row.ts';
import type { HapFormat } from '../formats.ts';

/**
 * @param digits the three digits that distinguish our types; the rest is a random UUID that never changes.
 * @param short the name that clients use, without `virtual_`.
 */
function virtual<const Digits extends string, const Name extends string>(
  digits: Digits,
  name: Name,
  format: HapFormat,
  short: string,
) {
  return row(
    `48440${digits}-8E1C-4F2D-A3B7-5D0C9E6F1A42`,
    name,
    name.replaceAll('_', '-'),
    format,
    CONTROL,
    also(short),
  );
}

export const VIRTUAL = [
  virtual('101', 'virtual_mode', 'string', 'mode'),
  virtual('102', 'virtual_count', 'int', 'count'),
  virtual('103', 'virtual_timer', 'string', 'timer'),
  virtual('104', 'virtual_number', 'float', 'number'),
  virtual('105', 'virtual_text', 'string', 'text'),
  virtual('106', 'virtual_datetime', 'string', 'datetime'),
] as const;
