import { expect, it } from 'vitest';
import { pagesOfEntry } from '../../../src/web/dashboard/pages/activity/entry-pages.ts';

const NO_ONE = { kind: 'device', id: null, name: null };
const pagesOf = (subject: string, actor: object, runId: string | null, isThere = true) =>
  pagesOfEntry((kind, { id }) => (isThere && id !== null ? `/${kind}/${id}` : undefined), {
    subject: { type: subject, id: 'one', name: 'One' },
    actor: { ...NO_ONE, ...actor },
    runId,
  });

it('An automation leads to its run, also the one behind a change', () => {
  const byAutomation = { kind: 'automation', id: 'two' };
  expect(pagesOf('automation', {}, 'run')).toEqual({ subject: '/automation/one/runs/run', actor: undefined });
  expect(pagesOf('accessory', byAutomation, 'run')).toEqual({
    ...{ subject: '/accessory/one', actor: '/automation/two/runs/run' },
  });
});

it('An automation without a known run leads to its page, and a deleted one nowhere', () => {
  expect(pagesOf('automation', {}, null).subject).toBe('/automation/one');
  expect(pagesOf('automation', {}, 'run', false).subject).toBeUndefined();
});
