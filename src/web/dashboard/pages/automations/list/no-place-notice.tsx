import nativeTexts from 'texts:native-automations';
import { Link } from 'wouter';
import { useRights } from '../../../home/use-home.ts';
import { useTexts } from '../../../texts/texts.ts';
import classes from './automations.module.css';

/** Sunrise and sunset need the home's location. */
export function NoPlaceNotice() {
  const t = useTexts(nativeTexts);
  const { canManage } = useRights();
  return (
    <div className={classes.notice} role="note">
      <span>{t.noPlace}</span>
      {canManage && <Link href="/settings/home#place">{t.setPlace}</Link>}
    </div>
  );
}
