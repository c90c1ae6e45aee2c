/** The main control of what has a power and a level: a big slider with a round switch, or a big switch alone. */
import type { ReactNode } from 'react';
import { writer } from '../../home/write.ts';
import { BigSlider } from '../controls/big-slider.tsx';
import type { DeviceLevel } from '../level.ts';
import { MainPower, RoundPower, usePower } from './main-power.tsx';
import { type PanelProps, usePanelWords } from './panel.ts';

interface MainLevelProps extends PanelProps {
  readonly label: string;
  /** In percent; none if it is only on or off. */
  readonly level: DeviceLevel | undefined;
  readonly icon: ReactNode;
  readonly fill?: string;
}

export function MainLevel({ label, level, icon, fill, ...props }: MainLevelProps) {
  const { format } = usePanelWords();
  const {
    text,
    toggle: { isOn, isSent },
  } = usePower(props);
  if (!level) return <MainPower {...props} />;
  return (
    <>
      <BigSlider
        {...{ label, level, icon, isSent, ...(fill !== undefined && { fill }) }}
        text={(value) => format.percent(value)}
        instead={isSent || !isOn ? text : undefined}
        isOff={!isOn}
        isDisabled={props.isDisabled}
        onChange={(value) => writer.set(...level.writesOf(value))}
      />
      <RoundPower {...props} />
    </>
  );
}
