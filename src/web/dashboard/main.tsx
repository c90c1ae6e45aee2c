/** The entry point: prepares what must exist before the first component, then starts the app. */
import './trusted-types.ts';
import './theme/layers.css';
import '@mantine/core/styles/baseline.layer.css';
import '@mantine/core/styles/default-css-variables.layer.css';
import '@mantine/core/styles/global.layer.css';
import './theme/tokens.css';
import './theme/mantine.css';
import './theme/shared.css';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { loadTexts } from '../../texts/texts.ts';
import { queryClient } from './api/query.ts';
import { sessionHolder } from './api/session.ts';
import { App } from './app.tsx';
import { forgetKeptWithSession } from './home/kept-home.ts';
import { listenForInstallOffer } from './pwa/install.ts';
import { startPwa } from './pwa/service-worker-client.ts';
import { fetchFirstPage } from './shell/first-page.ts';
import { startKiosk } from './shell/kiosk/kiosk.ts';
import { languageNow } from './texts/language.ts';
import { showAccent } from './theme/accent.ts';
import { colorSchemeManager } from './theme/color-scheme.ts';
import { theme } from './theme/theme.ts';
import { guardWayBack } from './ui/leave-guard.ts';
import { explainRefusedFields } from './ui/refused-fields.ts';

document.documentElement.lang = languageNow();
showAccent();

const root = document.getElementById('root');
if (!root) throw new Error('The page has no #root');

// The outline in the page is that of a home; there is none before the sign-in.
if (!sessionHolder.get()) root.replaceChildren();
forgetKeptWithSession();
// Browsers fire the install event once, and early.
listenForInstallOffer();
guardWayBack();
explainRefusedFields();
startKiosk();
await Promise.all([fetchFirstPage(), loadTexts(languageNow())]);

createRoot(root).render(
  <MantineProvider theme={theme} defaultColorScheme="auto" colorSchemeManager={colorSchemeManager}>
    <QueryClientProvider client={queryClient}>
      <App />
    </QueryClientProvider>
  </MantineProvider>,
);

startPwa();
