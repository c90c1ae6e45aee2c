import { writer } from '../../home/write.ts';
import { ToggleRow } from '../controls/toggle-row.tsx';
import { powerToggleOf, powerWrites } from '../reading.ts';
import { type PanelProps, usePanelWords } from './panel.ts';

interface PowerRowProps extends PanelProps {
  /** The label is "Power" by default. */
  readonly label?: string;
  /** The note is the on/off state by default; *Turning on …* while that is not confirmed. */
  readonly note?: string;
}

/** Switches the service on and off, by the one of HAP's two characteristics that it has. */
export function PowerRow({ accessory, service, isDisabled, label, note }: PowerRowProps) {
  const { t, d } = usePanelWords();
  const toggle = powerToggleOf(accessory, service);
  const { isOn, isSent, confirmed } = toggle;
  const known = confirmed === undefined ? d.unknown : confirmed ? d.on : d.off;
  const sending = isOn ? d.turningOn : d.turningOff;
  return (
    <ToggleRow
      label={label ?? t.power}
      {...toggle}
      note={isSent ? sending : (note ?? known)}
      isDisabled={isDisabled}
      onChange={(next) => writer.set(...powerWrites(accessory, service, next))}
    />
  );
}
