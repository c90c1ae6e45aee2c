/** Power as the main control of a sheet: a big switch, or a round one below a big slider. */
import { Power } from 'lucide-react';
import { writer } from '../../home/write.ts';
import { BigPill, RoundSwitch } from '../controls/big-pill.tsx';
import { isPowerSent, powerOf, powerWrites } from '../reading.ts';
import { type PanelProps, usePanelWords } from './panel.ts';

/** Whether the service is on, as it was asked for, and the words of that: "Off", "Turning on …". */
export function usePower({ accessory, service, isDisabled }: PanelProps) {
  const { t, d } = usePanelWords();
  const isOn = powerOf(service) ?? false;
  const isSent = isPowerSent(accessory, service);
  const text = isSent ? (isOn ? d.turningOn : d.turningOff) : isOn ? d.on : d.off;
  const onPress = () => writer.set(...powerWrites(accessory, service, !isOn));
  return { text, control: { label: t.power, isSent, isDisabled, onPress }, isOn, isSent };
}

export function MainPower({ note, ...props }: PanelProps & { readonly note?: string | undefined }) {
  const { control, isOn, text } = usePower(props);
  return (
    <BigPill
      {...control}
      isSwitch
      isUp={isOn}
      text={note ? `${text} · ${note}` : text}
      icon={<Power size={40} strokeWidth={1.75} />}
    />
  );
}

export function RoundPower(props: PanelProps) {
  const { control, isOn } = usePower(props);
  return <RoundSwitch {...control} isOn={isOn} icon={<Power aria-hidden size={26} />} />;
}
