import { flagOf, powerOf } from '../reading.ts';
import { MainPower } from './main-power.tsx';
import { type PanelProps, usePanelWords } from './panel.ts';
import { PowerRow } from './power-row.tsx';

/** Switches and outlets; an outlet may report whether a consumer is connected. */
export function PowerPanel(props: PanelProps) {
  const { t, d } = usePanelWords();
  const inUse = flagOf(props.service, 'outlet_in_use');
  if (props.isMain)
    return <MainPower {...props} note={inUse === undefined ? undefined : inUse ? t.inUse : t.notInUse} />;
  if (inUse === undefined) return <PowerRow {...props} />;
  return <PowerRow {...props} note={`${powerOf(props.service) ? d.on : d.off} · ${inUse ? t.inUse : t.notInUse}`} />;
}
