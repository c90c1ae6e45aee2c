/** The functions of expressions that the editor and the page about expressions list, against those of the relay. */
import { describe, expect, it } from 'vitest';
import { FUNCTIONS } from '../../../src/app/automations/expressions/functions/index.ts';
import german from '../../../src/texts/de/expressions.json' with { type: 'json' };
import english from '../../../src/texts/en/expressions.json' with { type: 'json' };
import { FUNCTIONS as LISTED, nameOf } from '../../../src/web/dashboard/pages/automations/expressions/functions.ts';

const listed: readonly string[] = Object.values(LISTED).flat();

describe('the list of functions', () => {
  it('has each function of the relay once, with its signature', () => {
    const known = [...FUNCTIONS.values()].map(({ signature }) => signature);
    expect(listed.toSorted()).toEqual(known.toSorted());
  });

  it.each(Object.entries({ english, german }))('describes each of them and no other, in %s', (_, { help }) => {
    expect(Object.keys(help.does).toSorted()).toEqual(listed.map(nameOf).toSorted());
  });
});
