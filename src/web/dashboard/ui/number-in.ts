/** The number in a field; `null` if it is empty. */
export function numberIn(value: number | string): number | null {
  const number = Number(value);
  return value === '' || !Number.isFinite(number) ? null : number;
}
