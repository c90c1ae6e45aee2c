import { RotateCcw } from 'lucide-react';
import { writer } from '../../home/write.ts';
import { Acts } from '../controls/acts.tsx';
import { Readings } from '../controls/readings.tsx';
import { characteristicOf, writeOf } from '../reading.ts';
import { characteristicLabel, characteristicText } from './characteristic-text.ts';
import { type PanelProps, usePanelWords } from './panel.ts';

const SHOWN = ['filter_change_indication', 'filter_life_level'] as const;

/** Shows the wear of the filter; the user confirms a replacement. */
export function FilterPanel({ accessory, service, isDisabled }: PanelProps) {
  const { t, words } = usePanelWords();
  const reset = writeOf(accessory, service, 'filter_reset', 1);
  return (
    <>
      <Readings
        readings={SHOWN.map((type) => {
          const characteristic = characteristicOf(service, type);
          return {
            label: characteristicLabel(type, words.texts),
            value: characteristic && characteristicText(characteristic, words),
          };
        })}
      />
      {reset.length > 0 && (
        <Acts
          isDisabled={isDisabled}
          acts={[
            {
              label: t.filterChanged,
              icon: <RotateCcw aria-hidden size={18} />,
              run: () => writer.set(...reset),
            },
          ]}
        />
      )}
    </>
  );
}
