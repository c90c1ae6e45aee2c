import { pressOf } from '../kinds/button.ts';
import { type PanelProps, usePanelWords } from './panel.ts';

/** Shows that it was pressed; what a press does is an automation's business. */
export function ButtonPanel({ accessory, service }: PanelProps) {
  const { t, d } = usePanelWords();
  const pressed = pressOf(accessory);
  const isThis = pressed?.serviceId === service.id;
  return (
    <p role="status" style={{ margin: 0 }}>
      {pressed && isThis ? d.pressed[pressed.how] : t.button.waits}
    </p>
  );
}
