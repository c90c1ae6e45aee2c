/**
 * The Jinja templates by which Home Assistant reads our states and builds commands. Each reads a state with `.get`, so
 * a property without a value gives `None`, which every component treats as "unknown". In Python true and 1 are the same
 * key, so one table serves both bools and numbers.
 */

/** Home Assistant's "unknown". */
const UNKNOWN = 'None';

/** The value as it is in the state. */
export function plainValue(property: string): string {
  return `{{ ${read(property)} }}`;
}

/** A number; 0 if it is missing. */
export function numberOrZero(property: string): string {
  return `{{ value_json.get('${property}', 0) }}`;
}

/** A whole number, which some components require. */
export function wholeValueOf(property: string): string {
  return `{{ value_json.get('${property}', 0) | float | round | int }}`;
}

/** Text; an empty string if it is missing. */
export function textOf(property: string): string {
  return `{{ value_json.get('${property}', '') }}`;
}

/** A word for each number; `None` for others. */
export function wordOf(property: string, words: ReadonlyMap<number, string>): string {
  return `{{ ${lookUp(property, words)} }}`;
}

/** One word while another property has this value, otherwise a word for each number. */
export function wordUnless(
  [guard, value, word]: readonly [property: string, value: number, word: string],
  property: string,
  words: ReadonlyMap<number, string>,
): string {
  return `{{ '${word}' if value_json.get('${guard}') == ${value} else ${lookUp(property, words)} }}`;
}

/** One property while another has this value, otherwise a third. */
export function valueWhere(
  [guard, value]: readonly [property: string, value: number],
  then: string,
  otherwise: string,
): string {
  return `{{ ${read(then)} if value_json.get('${guard}') == ${value} else ${read(otherwise)} }}`;
}

/** Sends the number, or the given text, for each word. */
export function sendForWord(payloads: ReadonlyMap<string, number | string>): string {
  const entries = [...payloads].map(([word, payload]) => `'${word}': '${payload}'`);
  return `{{ {${entries.join(', ')}}.get(value) }}`;
}

function lookUp(property: string, words: ReadonlyMap<number, string>): string {
  const entries = [...words].map(([number, word]) => `${number}: '${word}'`);
  return `{${entries.join(', ')}}.get(value_json.get('${property}'), '${UNKNOWN}')`;
}

function read(property: string): string {
  return `value_json.get('${property}', '${UNKNOWN}')`;
}

/** `payload_on` and `payload_off`, which commands accept too. */
export const ON = '1';
export const OFF = '0';
export const ON_OFF: ReadonlyMap<number, string> = new Map([
  [0, OFF],
  [1, ON],
]);

/** Swaps keys and values. */
export function reversed(words: ReadonlyMap<number, string>): ReadonlyMap<string, number> {
  return new Map([...words].map(([number, word]) => [word, number]));
}
