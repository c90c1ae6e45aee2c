/** What a browser gets at the dashboard's addresses where nobody has built it: what to do, and the pages that need no building. */
import type { FaceContext } from '../env.ts';
import { answerPage, Page } from '../html/page.tsx';

export function answerNotBuilt(c: FaceContext): Response {
  return answerPage(
    c,
    <Page title="Not built">
      <h1>The dashboard is not built</h1>
      <p>
        Run <code>npm run build</code> and start hearthd from its build. The house works without, and so do these pages:
      </p>
      <ul>
        <li>
          <a href="/login">Sign in</a>
        </li>
        <li>
          <a href="/setup">Set up a relay that nobody owns yet</a>
        </li>
      </ul>
    </Page>,
  );
}
