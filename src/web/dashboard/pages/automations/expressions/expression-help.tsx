/**
 * The syntax of expressions (`app/automations/expressions` of the relay): examples with accessories of this home, and
 * the functions.
 */

import expressionTexts from 'texts:expressions';
import { useHome } from '../../../home/use-home.ts';
import { propertiesOf } from '../../../pickers/property.ts';
import { textOf, useTexts } from '../../../texts/texts.ts';
import classes from './expressions.module.css';
import { FUNCTIONS, GROUPS, nameOf } from './functions.ts';

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
      {GROUPS.map((group) => (
        <details key={group} className={classes.functions}>
          <summary>{help.groups[group]}</summary>
          <dl>
            {FUNCTIONS[group].map((signature) => (
              <div key={signature}>
                <dt>
                  <code>{signature}</code>
                </dt>
                <dd>{textOf(help.does, nameOf(signature))}</dd>
              </div>
            ))}
          </dl>
        </details>
      ))}
      <p>
        {help.sees}: {help.seesList}
      </p>
      <p>
        <a href="/docs/automations#expressions" target="_blank" rel="noopener">
          {help.manual}
        </a>
      </p>
    </section>
  );
}
