/**
 * The syntax of expressions (`app/automations/expressions` of the relay): examples with accessories of this home, and
 * the functions.
 */

import expressionTexts from 'texts:expressions';
import { Group } from '@mantine/core';
import { useHome } from '../../../home/use-home.ts';
import { propertiesOf } from '../../../pickers/property.ts';
import { useTexts } from '../../../texts/texts.ts';
import classes from './expressions.module.css';

const FUNCTIONS = [
  'states(accessory, characteristic?)',
  'is_state(accessory, characteristic?, value)',
  'last_changed(accessory, characteristic?)',
  'count_changed_within(accessory, characteristic?, duration)',
  'manual_override(accessory, characteristic?, duration?)',
  'state_attr(accessory, attribute)',
  'virtual(accessory, field?)',
  'now()',
  'today_at(time)',
  'timestamp(text)',
  'iso(moment)',
  'getHours(moment)',
  'getMinutes(moment)',
  'getDayOfWeek(moment)',
  'getDayOfMonth(moment)',
  'getMonth(moment)',
  'getFullYear(moment)',
  'min(value, values…)',
  'max(value, values…)',
  'abs(number)',
  'round(number, digits?)',
  'floor(number)',
  'ceil(number)',
  'sqrt(number)',
  'int(value, default?)',
  'float(value, default?)',
  'str(value)',
  'bool(value)',
  'is_number(value)',
  'len(value)',
  'upper(text)',
  'lower(text)',
  'trim(text)',
  'contains(value, item)',
  'replace(text, old, new)',
  'split(text, separator)',
  'join(list, separator?)',
  'iif(condition, then, else)',
  'range(start, end?, step?)',
] as const;

interface ExpressionHelpProps {
  /** The level of its headings: one below what is above it. */
  readonly heading?: 'h2' | 'h4';
}

export function ExpressionHelp({ heading: Heading = 'h4' }: ExpressionHelpProps) {
  const { help } = useTexts(expressionTexts);
  const { accessories } = useHome();
  const accessory = accessories.find((one) => propertiesOf(one).length > 0);
  const name = (accessory?.name ?? 'Lamp').replaceAll("'", "\\'");
  const property = (accessory && propertiesOf(accessory)[0]?.characteristicType) ?? 'power_state';
  const examples = [
    `states('${name}', '${property}')`,
    `last_changed('${name}') < now() - 300`,
    'getHours(now()) >= 22',
    'now() - trigger.timestamp > 60',
    'trigger.to_value > 20 and trigger.from_value <= 20',
  ];
  return (
    <section className={classes.help} aria-label={help.title}>
      <p>{help.lead}</p>
      <Heading>{help.examples}</Heading>
      <ul>
        {examples.map((example) => (
          <li key={example}>
            <code>{example}</code>
          </li>
        ))}
      </ul>
      <Heading>{help.functions}</Heading>
      <Group gap="4px 16px" align="stretch">
        {FUNCTIONS.map((one) => (
          <code key={one}>{one}</code>
        ))}
      </Group>
      <p>
        {help.sees}: {help.seesList}
      </p>
    </section>
  );
}
