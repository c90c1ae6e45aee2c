/** The page at the dashboard's paths if the dashboard is not built: the remedy, and the pages that need no build. */
import type { ApiContext } from '../env.ts';
import { answerPage, Page } from '../html/page.tsx';
import { textsOf } from '../html/texts.ts';

export function answerNotBuilt(c: ApiContext): Response {
  const texts = textsOf(c);
  const { title, heading, lead, signIn, setUp } = texts.notBuilt;
  return answerPage(
    c,
    <Page texts={texts} title={title}>
      <h1>{heading}</h1>
      <p>{lead({ command: <code>npm run build</code> })}</p>
      <ul>
        <li>
          <a href="/login">{signIn}</a>
        </li>
        <li>
          <a href="/setup">{setUp}</a>
        </li>
      </ul>
    </Page>,
  );
}
