import type { ExpressionPreview } from '../../contract/expressions.ts';
import { HOME_OPTION, repeated } from '../action.ts';
import { parseWord } from '../assignments.ts';
import { defineCommand } from '../define-command.ts';
import { EXIT, usageError } from '../exit-codes.ts';
import { loadInventory } from '../inventory.ts';

/** `hearthd automation evaluate`: what an expression comes to now. */
export const evaluateExpression = defineCommand({
  name: 'evaluate',
  description: 'evaluate an expression, or a text with {{ }}, with the present values of a home',
  arguments: [['<text>', 'a text with expressions in {{ }}, or one expression without them']],
  options: [HOME_OPTION, ['--var <name=value>', 'a variable of the automation (repeatable)', repeated]],
  examples: [
    `hearthd automation evaluate 'states("Hall Sensor", "current_temperature")'`,
    `hearthd automation evaluate 'It is {{ round(level / 2) }} %' --var level=45`,
  ],
  async run({ api, output }, text, { home, var: given = [] }) {
    const { id: homeId } = (await loadInventory(api)).home(home);
    const kind = text.includes('{{') ? 'text' : 'expression';
    const variables = Object.fromEntries(given.map(parseVariable));
    const preview = await api.send<ExpressionPreview>('POST', '/rest/flows/evaluate', {
      homeId,
      kind,
      text,
      variables,
    });
    const { value, error } = preview;
    output.result(preview, () => {
      if (error) output.line(`Line ${error.line}, column ${error.column}: ${error.message}.`);
      else output.line(typeof value === 'string' ? value : JSON.stringify(value));
      if (preview.usesRun) output.note('It uses values that only a run knows.');
    });
    return error ? EXIT.failed : EXIT.ok;
  },
});

function parseVariable(text: string): readonly [string, unknown] {
  const equals = text.indexOf('=');
  if (equals < 1) throw usageError(`"${text}" is not in the form name=value, for example level=45.`);
  return [text.slice(0, equals), parseWord(text.slice(equals + 1))];
}
