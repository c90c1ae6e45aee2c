/**
 * The characteristics of virtual accessories: HAP has none for a mode, a counter or a timer, so they are vendor types of our own.
 * A virtual switch needs none: it has HAP's power state. Ranges are each accessory's own.
 */
import { also, type CharacteristicSpec, CONTROL, row } from '../characteristic-row.ts';

/**
 * @param digits the three that tell our types apart; the rest is a random UUID, fixed for ever.
 * @param short the word that clients know it by without `virtual_`.
 */
function virtual(
  digits: string,
  name: string,
  format: CharacteristicSpec['format'],
  short: string,
): CharacteristicSpec {
  return row(
    `48440${digits}-8E1C-4F2D-A3B7-5D0C9E6F1A42`,
    name,
    name.replaceAll('_', '-'),
    format,
    CONTROL,
    also(short),
  );
}

export const VIRTUAL: readonly CharacteristicSpec[] = [
  virtual('101', 'virtual_mode', 'string', 'mode'),
  virtual('102', 'virtual_count', 'int', 'count'),
  virtual('103', 'virtual_timer', 'string', 'timer'),
  virtual('104', 'virtual_number', 'float', 'number'),
  virtual('105', 'virtual_text', 'string', 'text'),
  virtual('106', 'virtual_datetime', 'string', 'datetime'),
];
