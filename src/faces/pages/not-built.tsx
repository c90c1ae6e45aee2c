/** What a browser gets at the dashboard's addresses where nobody has built it: what to do, and the pages that need no building. */
import type { FaceContext } from '../env.ts';
import { answerPage, Page } from '../html/page.tsx';
import { textsOf } from '../html/texts/texts.ts';

export function answerNotBuilt(c: FaceContext): Response {
  const texts = textsOf(c);
  const { title, heading, lead, signIn, setUp } = texts.notBuilt;
  return answerPage(
    c,
    <Page texts={texts} title={title}>
      <h1>{heading}</h1>
      <p>{lead(<code>npm run build</code>)}</p>
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
