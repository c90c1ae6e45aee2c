/** A dot beside "System" in the menu while the update check knows a newer version. */
import shellTexts from 'texts:shell';
import { graphql } from '../api/graphql.ts';
import { useApiQuery } from '../api/query.ts';
import { useTexts } from '../texts/texts.ts';
import classes from './shell.module.css';

const NewVersionQuery = graphql(`
  query NewVersion {
    relay {
      status {
        newVersion
      }
    }
  }
`);

/** No event reports it: the relay asks once a day. */
const EVERY_MS = 3_600_000;

export function NewVersionBadge() {
  const t = useTexts(shellTexts);
  const { data } = useApiQuery(NewVersionQuery, {}, { subjects: ['relay'], everyMs: EVERY_MS });
  const version = data?.relay.status?.newVersion ?? null;
  if (version === null) return null;
  const text = t.newVersion({ version });
  return <span className={classes.dot} role="img" aria-label={text} title={text} />;
}
