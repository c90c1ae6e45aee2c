/** The switch between an automation in sentences and as a graph; the address keeps the choice. */
import flowTexts from 'texts:automation-flow';
import { SegmentedControl } from '@mantine/core';
import type { ReactNode } from 'react';
import { useSearchParams } from 'wouter';
import { useTexts } from '../../../texts/texts.ts';

const VIEWS = ['steps', 'graph'] as const;
type View = (typeof VIEWS)[number];

const PARAMETER = 'view';

export function useGraphView(): readonly [isGraph: boolean, control: ReactNode] {
  const { graph: t } = useTexts(flowTexts);
  const [search, setSearch] = useSearchParams();
  const view: View = search.get(PARAMETER) === 'graph' ? 'graph' : 'steps';
  const choose = (next: string) =>
    setSearch(
      (before) => {
        const after = new URLSearchParams(before);
        if (next === 'graph') after.set(PARAMETER, next);
        else after.delete(PARAMETER);
        return after;
      },
      { replace: true },
    );
  return [
    view === 'graph',
    <SegmentedControl
      key="view"
      aria-label={t.view}
      value={view}
      onChange={choose}
      data={VIEWS.map((one) => ({ value: one, label: t[one] }))}
    />,
  ];
}
