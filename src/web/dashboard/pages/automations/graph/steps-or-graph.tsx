/** The switch between an automation in sentences and as a graph; the browser keeps the choice for all of them. */
import flowTexts from 'texts:automation-flow';
import { SegmentedControl } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTexts } from '../../../texts/texts.ts';
import { useKeptFlag } from '../../../ui/kept-flag.ts';

const VIEWS = ['steps', 'graph'] as const;

export function useGraphView(): readonly [isGraph: boolean, control: ReactNode] {
  const { graph: t } = useTexts(flowTexts);
  const [isGraph, setGraph] = useKeptFlag('automations.graph');
  return [
    isGraph,
    <SegmentedControl
      key="view"
      aria-label={t.view}
      value={isGraph ? 'graph' : 'steps'}
      onChange={(view) => setGraph(view === 'graph')}
      data={VIEWS.map((one) => ({ value: one, label: t[one] }))}
    />,
  ];
}
