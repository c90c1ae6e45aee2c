import { Link } from 'wouter';
import { pressOf } from '../kinds/button.ts';
import { servicesOf } from '../reading.ts';
import classes from './button-panel.module.css';
import { type PanelProps, usePanelWords } from './panel.ts';

/** Shows presses; automations define what a press does. All keys of a remote share one panel. */
export function ButtonPanel({ accessory, service }: PanelProps) {
  const { t, d } = usePanelWords();
  const pressed = pressOf(accessory);
  const keys = servicesOf(accessory, service.type);
  const reported = (id: string) => (pressed?.serviceId === id ? d.pressed[pressed.how] : undefined);
  return (
    <>
      {keys.length > 1 ? (
        <ul className="h-bare">
          {keys.map(({ id, name }, index) => (
            <li key={id} className={classes.key} data-pressed={reported(id) !== undefined || undefined}>
              <span>{name || t.button.key({ number: index + 1 })}</span>
              <span role="status">{reported(id)}</span>
            </li>
          ))}
        </ul>
      ) : (
        <p className={classes.only} role="status">
          {reported(service.id) ?? t.button.waits}
        </p>
      )}
      <p className={classes.note}>
        {t.button.purpose} <Link href="/automations">{t.button.automations}</Link>
      </p>
    </>
  );
}
