/**
 * The few forms of Jinja in which Home Assistant is told how to read our states and what to send. Each reads a state with `.get`, so
 * that a property without a value gives `None`, which every component takes for "unknown"; true and 1 are the same key in Python, so
 * that one table serves devices that keep a bool and those that keep a number.
 */

/** What Home Assistant reads as "unknown". */
const UNKNOWN = 'None';

/** The value as the state has it. */
export function plainValue(property: string): string {
  return `{{ ${read(property)} }}`;
}

/** A number; 0 where there is none. */
export function numberOrZero(property: string): string {
  return `{{ value_json.get('${property}', 0) }}`;
}

/** A whole number, which some components insist on. */
export function wholeValueOf(property: string): string {
  return `{{ value_json.get('${property}', 0) | float | round | int }}`;
}

/** Text; where there is none, empty text. */
export function textOf(property: string): string {
  return `{{ value_json.get('${property}', '') }}`;
}

/** A word for each number; `None` for others. */
export function wordOf(property: string, words: ReadonlyMap<number, string>): string {
  return `{{ ${lookUp(property, words)} }}`;
}

/** One word while another property has this value, else a word for each number. */
export function wordUnless(
  [guard, value, word]: readonly [property: string, value: number, word: string],
  property: string,
  words: ReadonlyMap<number, string>,
): string {
  return `{{ '${word}' if value_json.get('${guard}') == ${value} else ${lookUp(property, words)} }}`;
}

/** One property while another has this value, else a third. */
export function valueWhere(
  [guard, value]: readonly [property: string, value: number],
  then: string,
  otherwise: string,
): string {
  return `{{ ${read(then)} if value_json.get('${guard}') == ${value} else ${read(otherwise)} }}`;
}

/** Sends a number for each word, or whatever text stands for it. */
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

/** Two states as `payload_on` and `payload_off` have them: what commands take, too. */
export const ON = '1';
export const OFF = '0';
export const ON_OFF: ReadonlyMap<number, string> = new Map([
  [0, OFF],
  [1, ON],
]);

/** The same table read backwards. */
export function reversed(words: ReadonlyMap<number, string>): ReadonlyMap<string, number> {
  return new Map([...words].map(([number, word]) => [word, number]));
}
