/** The first run of a relay that nobody owns yet. */
import { Page } from '../../ui/page.tsx';

export function WelcomePage() {
  return (
    <Page title="hearthd" narrow>
      <a href="/setup">hearthd</a>
    </Page>
  );
}
