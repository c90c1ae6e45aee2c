/** Replaces the page while the relay restarts. */
import { Loader } from '@mantine/core';
import { useTexts } from '../../../texts/texts.ts';
import classes from './backups-page.module.css';
import { backupTexts } from './texts/texts.ts';

export function Restarting({ isSlow }: { readonly isSlow: boolean }) {
  const t = useTexts(backupTexts).restarting;
  return (
    <div className={classes.restarting} role="status">
      <Loader aria-hidden />
      <h2 className={classes.restartingTitle}>{t.title}</h2>
      <p className={classes.restartingText}>{isSlow ? t.slow : t.text}</p>
    </div>
  );
}
