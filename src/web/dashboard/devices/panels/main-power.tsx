/** Power as the main control of a sheet: a big switch, or a round one below a big slider. */
import { Power } from 'lucide-react';
import { writer } from '../../home/write.ts';
import { BigPill, RoundSwitch } from '../controls/big-pill.tsx';
import { powerToggleOf, powerWrites } from '../reading.ts';
import { type PanelProps, usePanelWords } from './panel.ts';

/** Whether the service is on, as it was asked for, and the words of that: "Off", "Turning on …". */
export function usePower({ accessory, service, isDisabled }: PanelProps) {
  const { t, d } = usePanelWords();
  const toggle = powerToggleOf(accessory, service);
  const { isOn, isSent, confirmed } = toggle;
  const known = confirmed === undefined ? d.unknown : isOn ? d.on : d.off;
  const text = isSent ? (isOn ? d.turningOn : d.turningOff) : known;
  const onPress = () => writer.set(...powerWrites(accessory, service, !isOn));
  return { text, toggle, control: { label: t.power, isDisabled, onPress } };
}

export function MainPower({ note, ...props }: PanelProps & { readonly note?: string | undefined }) {
  const { control, toggle, text } = usePower(props);
  return (
    <BigPill
      {...control}
      toggle={toggle}
      isUp={toggle.isOn}
      isSent={toggle.isSent}
      text={note ? `${text} · ${note}` : text}
      icon={<Power size={40} strokeWidth={1.75} />}
    />
  );
}

export function RoundPower(props: PanelProps) {
  const { control, toggle } = usePower(props);
  return <RoundSwitch {...control} toggle={toggle} icon={<Power aria-hidden size={26} />} />;
}
