/** How many notifications the user has not read, beside their entry in the menu. */
import shellTexts from 'texts:shell';
import { graphql } from '../api/graphql.ts';
import { useApiQuery } from '../api/query.ts';
import { useTexts } from '../texts/texts.ts';
import classes from './shell.module.css';

const UnreadQuery = graphql(`
  query UnreadNotifications {
    unreadNotifications
  }
`);

/** The relay counts no further than one more. */
const MAX_SHOWN = 99;

export function UnreadBadge() {
  const t = useTexts(shellTexts);
  const { data } = useApiQuery(UnreadQuery, {}, { subjects: ['notifications'] });
  const count = data?.unreadNotifications ?? 0;
  if (count === 0) return null;
  return (
    <span className={classes.badge} role="img" aria-label={t.unread({ count })}>
      {count > MAX_SHOWN ? `${MAX_SHOWN}+` : count}
    </span>
  );
}
