/** How busy the relay was in the last day: its load, its memory, and the size of its databases, up to now. */
import systemTexts from 'texts:system';
import { Group, Text } from '@mantine/core';
import { useFormat } from '../../../texts/format.ts';
import { useTexts } from '../../../texts/texts.ts';
import { Section } from '../../../ui/page.tsx';
import { Plot } from '../../history/plot.tsx';
import { SPANS } from '../../history/window.ts';

interface Sample {
  readonly at: string;
  readonly load: number;
  readonly memoryBytes: number;
  readonly databaseBytes: number;
}

const HEIGHT_PX = 120;

export function LastDay({ samples, latest }: { readonly samples: readonly Sample[]; readonly latest: Sample }) {
  const t = useTexts(systemTexts).status;
  const format = useFormat();
  const all = [...samples, latest];
  const to = Date.parse(latest.at);
  const times = all.map(({ at }) => Date.parse(at) / 1000);
  const shown = [
    { name: t.load, values: all.map(({ load }) => load), formatValue: (load: number) => format.number(load, 2) },
    { name: t.memory, values: all.map(({ memoryBytes }) => memoryBytes), formatValue: format.bytes },
    { name: t.databases, values: all.map(({ databaseBytes }) => databaseBytes), formatValue: format.bytes },
  ];
  return (
    <Section title={t.lastDay} lead={t.lastDayLead}>
      {shown.map(({ name, values, formatValue }, index) => {
        const range = t.between({
          least: formatValue(Math.min(...values)),
          greatest: formatValue(Math.max(...values)),
        });
        return (
          <div key={name}>
            <Group justify="space-between" gap="2px 12px">
              <strong>{name}</strong>
              <Text c="dimmed" fz="sm">
                {range}
              </Text>
            </Group>
            <Plot
              lines={[{ name, index }]}
              columns={{ times, values: [values] }}
              bounds={{ from: to - SPANS['24h'], to }}
              formatValue={formatValue}
              label={t.plotOf({ name, range })}
              heightPx={HEIGHT_PX}
            />
          </div>
        );
      })}
    </Section>
  );
}
