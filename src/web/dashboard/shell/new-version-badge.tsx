/** A dot beside "System" in the menu while the update check knows a newer version. */
import shellTexts from 'texts:shell';
import { useTexts } from '../texts/texts.ts';
import { useRelayVersions } from './relay-versions.ts';
import classes from './shell.module.css';

export function NewVersionBadge() {
  const t = useTexts(shellTexts);
  const version = useRelayVersions()?.newVersion ?? null;
  if (version === null) return null;
  const text = t.newVersion({ version });
  return <span className={classes.dot} role="img" aria-label={text} title={text} />;
}
