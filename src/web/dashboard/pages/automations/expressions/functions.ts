/** The functions of expressions, as the relay has them (`app/automations/expressions/functions`), by their subjects. */
export const FUNCTIONS = {
  devices: [
    'states(accessory, characteristic?)',
    'is_state(accessory, characteristic?, value)',
    'last_changed(accessory, characteristic?)',
    'count_changed_within(accessory, characteristic?, duration)',
    'manual_override(accessory, characteristic?, duration?)',
    'state_attr(accessory, attribute)',
    'virtual(accessory, field?)',
  ],
  times: [
    'now()',
    'today_at(time)',
    'timestamp(text)',
    'iso(moment)',
    'getHours(moment)',
    'getMinutes(moment)',
    'getSeconds(moment)',
    'getDayOfWeek(moment)',
    'getDayOfMonth(moment)',
    'getDate(moment)',
    'getMonth(moment)',
    'getFullYear(moment)',
  ],
  numbers: [
    'min(value, values…)',
    'max(value, values…)',
    'abs(number)',
    'round(number, digits?)',
    'floor(number)',
    'ceil(number)',
    'sqrt(number)',
    'log(number, base?)',
    'int(value, default?)',
    'float(value, default?)',
    'is_number(value)',
  ],
  texts: [
    'str(value)',
    'bool(value)',
    'len(value)',
    'size(value)',
    'upper(text)',
    'lower(text)',
    'trim(text)',
    'contains(value, item)',
    'startsWith(text, start)',
    'endsWith(text, end)',
    'replace(text, old, new)',
    'split(text, separator)',
    'join(list, separator?)',
    'substring(text, start, end?)',
  ],
  others: ['iif(condition, then, else)', 'range(start, end?, step?)'],
} as const;

export const GROUPS = Object.keys(FUNCTIONS) as readonly (keyof typeof FUNCTIONS)[];

/** `now` of `now()`. */
export function nameOf(signature: string): string {
  return signature.slice(0, signature.indexOf('('));
}
