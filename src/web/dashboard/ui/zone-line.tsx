/** Names the time zone of a page's times where the clock of this device differs from the home's. */
import zoneTexts from 'texts:zone';
import { useHomeZone } from '../home/home-zone.ts';
import { useHome } from '../home/use-home.ts';
import { useTexts } from '../texts/texts.ts';
import { wallText } from '../texts/wall-time.ts';
import classes from './zone-line.module.css';

export function ZoneLine() {
  const t = useTexts(zoneTexts);
  const { name } = useHome();
  const zone = useHomeZone();
  const now = Date.now();
  if (zone === undefined || wallText(now, zone) === wallText(now)) return null;
  return <p className={classes.line}>{t.timesOf({ home: name, zone: zone.replaceAll('_', ' ') })}</p>;
}
