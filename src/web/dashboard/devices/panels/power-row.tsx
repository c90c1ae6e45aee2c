import { writer } from '../../house/write.ts';
import { ToggleRow } from '../controls/toggle-row.tsx';
import { powerOf, powerWrites } from '../reading.ts';
import { type PanelProps, usePanelWords } from './panel.ts';

interface PowerRowProps extends PanelProps {
  /** "Power" without one. */
  readonly label?: string;
  /** On or off without one. */
  readonly note?: string;
}

/** Switches the service on and off, by whichever of HAP's two characteristics it has for that. */
export function PowerRow({ accessory, service, isDisabled, label, note }: PowerRowProps) {
  const { t, d } = usePanelWords();
  const isOn = powerOf(service) ?? false;
  return (
    <ToggleRow
      label={label ?? t.power}
      note={note ?? (isOn ? d.on : d.off)}
      isOn={isOn}
      isDisabled={isDisabled}
      onChange={(next) => writer.set(...powerWrites(accessory, service, next))}
    />
  );
}
