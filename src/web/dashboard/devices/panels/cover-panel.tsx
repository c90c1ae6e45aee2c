import { ChevronsDown, ChevronsUp, Square } from 'lucide-react';
import { writer } from '../../home/write.ts';
import { Acts } from '../controls/acts.tsx';
import { BigSlider } from '../controls/big-slider.tsx';
import { ValueSlider } from '../controls/value-slider.tsx';
import { readOpening } from '../kinds/opening.ts';
import { levelOf } from '../level.ts';
import { characteristicOf, numberOf, PERCENT, rangeOf, writeOf } from '../reading.ts';
import { Notice } from './notice.tsx';
import { type PanelProps, usePanelWords } from './panel.ts';

const TILTS = ['target_horizontal_tilt', 'target_vertical_tilt', 'target_tilt_angle'] as const;
const TILT = { min: -90, max: 90, step: 1 };

/** Blinds, windows and doors with a position: 0 is closed, 100 open; slats also tilt. */
export function CoverPanel(props: PanelProps) {
  const { accessory, service, isDisabled, isMain } = props;
  const { t, format } = usePanelWords();
  const level = levelOf(accessory, service, 'position', 'target_position');
  const { state, position, isObstructed } = readOpening(service);
  const target = characteristicOf(service, 'target_position');
  const go = (value: number) => writer.set(...writeOf(accessory, service, 'target_position', value));
  const stop = () => {
    const hold = writeOf(accessory, service, 'hold_position', true);
    // Without a hold characteristic, the current position becomes the target.
    if (hold.length > 0) writer.set(...hold);
    else if (position !== undefined) go(position);
  };
  const isMoving = state === 'opening' || state === 'closing';
  return (
    <>
      {isObstructed && <Notice tone="bad">{t.opening.obstructed}</Notice>}
      {target && (
        <>
          {isMain && level ? (
            <BigSlider
              label={t.opening.position}
              level={level}
              text={(value) => t.opening.percentOpen({ percent: format.percent(value) })}
              isCover
              isDisabled={isDisabled}
              onChange={go}
            />
          ) : (
            <ValueSlider
              label={t.opening.position}
              value={numberOf(service, 'target_position') ?? position}
              range={rangeOf(target, PERCENT)}
              text={(value) => t.opening.percentOpen({ percent: format.percent(value) })}
              isDisabled={isDisabled || !target.canWrite}
              onChange={go}
            />
          )}
          <Acts
            isDisabled={isDisabled || !target.canWrite}
            acts={[
              { label: t.opening.open, icon: <ChevronsUp aria-hidden size={20} />, run: () => go(100) },
              { label: t.opening.stop, icon: <Square aria-hidden size={16} />, run: stop, isDisabled: !isMoving },
              { label: t.opening.close, icon: <ChevronsDown aria-hidden size={20} />, run: () => go(0) },
            ]}
          />
        </>
      )}
      <TiltControls {...props} />
    </>
  );
}

export function TiltControls({ accessory, service, isDisabled }: PanelProps) {
  const { t, format } = usePanelWords();
  return TILTS.map((type) => {
    const characteristic = characteristicOf(service, type);
    if (!characteristic) return null;
    return (
      <ValueSlider
        key={type}
        label={t.opening.tilt}
        value={numberOf(service, type)}
        range={rangeOf(characteristic, TILT)}
        text={(value) => t.degrees({ number: format.number(value) })}
        isDisabled={isDisabled || !characteristic.canWrite}
        onChange={(value) => writer.set(...writeOf(accessory, service, type, value))}
      />
    );
  });
}
