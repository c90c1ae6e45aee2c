/**
 * The bounds of ranges. Flows do not include them, simple automations do: those come to the editor as the number next
 * to the one that was written (`to-program.ts` of the relay), and go back in the same way.
 */

/** Numbers that people write have fewer digits. */
const MAX_DIGITS = 12;

/** The number that was written. */
export function written(value: number): number {
  return Number(value.toPrecision(MAX_DIGITS));
}

/** Whether the number that was written belongs to the range. */
export function isIncluded(value: number | undefined): boolean {
  return value !== undefined && written(value) !== value;
}

/** The next number that a computer knows. */
export function nextTo(value: number, direction: 1 | -1): number {
  if (value === 0) return direction * Number.MIN_VALUE;
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, value);
  // Read as an integer, the bits of a number rise with its distance from zero.
  bits.setBigInt64(0, bits.getBigInt64(0) + BigInt(value > 0 ? direction : -direction));
  return bits.getFloat64(0);
}
