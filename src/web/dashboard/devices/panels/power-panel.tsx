import { writer } from '../../house/write.ts';
import { ToggleRow } from '../controls/toggle-row.tsx';
import { flagOf, powerOf, powerWrites } from '../reading.ts';
import { type PanelProps, usePanelWords } from './panel.ts';

/** Switches, and outlets, which may say whether anything draws from them. */
export function PowerPanel({ accessory, service, isDisabled }: PanelProps) {
  const { t, d } = usePanelWords();
  const isOn = powerOf(service) ?? false;
  const inUse = flagOf(service, 'outlet_in_use');
  const note = inUse === undefined ? undefined : inUse ? t.inUse : t.notInUse;
  return (
    <ToggleRow
      label={t.power}
      note={[isOn ? d.on : d.off, note].filter(Boolean).join(' · ')}
      isOn={isOn}
      isDisabled={isDisabled}
      onChange={(next) => writer.set(...powerWrites(accessory, service, next))}
    />
  );
}
