import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { readBlueprintFile } from '../../../../src/app/automations/blueprints/read-blueprint.ts';
import { listShipped } from '../../../../src/app/automations/blueprints/shipped/index.ts';
import { INPUT_KINDS } from '../../../../src/contract/blueprints.ts';
import { blueprintTexts } from '../../../../src/relay/blueprint-texts.ts';

it('the manual has a blueprint that can be read, every blueprint of the relay, and every kind of input', () => {
  const manual = readFileSync(new URL('../../../../src/docs/manual/automations.md', import.meta.url), 'utf8');
  const [, example = ''] = /```json\n([^`]*)```/.exec(manual) ?? [];
  expect(readBlueprintFile(example).name).toBe('Reading light');
  for (const { blueprint } of listShipped(blueprintTexts('en'))) expect(manual).toContain(`| ${blueprint.name} |`);
  for (const kind of INPUT_KINDS) expect(manual).toContain(`\`${kind}\``);
});
