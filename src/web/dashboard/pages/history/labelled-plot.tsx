/** One quantity with its name and its range above its plot. It stands alone: the plot has no table. */
import { Group, Text } from '@mantine/core';
import { Plot } from './plot.tsx';
import type { Bounds, GappedColumns } from './plot-data.ts';
import type { PlotMark } from './plot-marks.ts';

interface LabelledPlotProps {
  readonly name: string;
  readonly range: string | undefined;
  readonly columns: GappedColumns;
  readonly bounds: Bounds;
  readonly formatValue: (value: number) => string;
  /** For screen readers. */
  readonly label: string;
  readonly heightPx: number;
  /** Its place among the plots, which determines its colour. */
  readonly index?: number;
  readonly marks?: readonly PlotMark[];
}

export function LabelledPlot({ name, range, index = 0, ...plot }: LabelledPlotProps) {
  return (
    <div>
      <Group justify="space-between" gap="2px 12px">
        <strong>{name}</strong>
        <Text c="dimmed" fz="sm">
          {range}
        </Text>
      </Group>
      <Plot lines={[{ name, index }]} {...plot} />
    </div>
  );
}
