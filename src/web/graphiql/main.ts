/**
 * GraphiQL over `/graphql` of the relay that served this page. The user enters the access token. The token and
 * GraphiQL's own settings stay in this tab's session storage, so nothing remains on a shared computer.
 */
import { GraphiQL } from 'graphiql';
import { createElement, type ReactNode, useState } from 'react';
import { createRoot } from 'react-dom/client';
import 'graphiql/style.css';
import './page.css';
import { createFetcher } from './fetcher.ts';
import { SignIn } from './sign-in.ts';

const TOKEN_KEY = 'hearthd.token';

const FIRST_QUERY = `# Ctrl-Enter runs it.
query Everything {
  homes {
    id
    name
    rooms {
      name
      accessories {
        id
        name
        reachable
      }
    }
  }
}
`;

function Page(): ReactNode {
  const [token, setToken] = useState(sessionStorage.getItem(TOKEN_KEY) ?? '');
  const keep = (next: string): void => {
    if (next === '') sessionStorage.removeItem(TOKEN_KEY);
    else sessionStorage.setItem(TOKEN_KEY, next);
    setToken(next);
  };
  return [
    createElement(SignIn, { key: 'sign-in', token, onToken: keep }),
    // The schema is loaded once per editor, so another token creates another editor.
    token !== '' &&
      createElement(
        'main',
        { key: token, className: 'editor' },
        createElement(GraphiQL, {
          fetcher: createFetcher(token),
          defaultQuery: FIRST_QUERY,
          isHeadersEditorEnabled: false,
          storage: sessionStorage,
        }),
      ),
  ];
}

const place = document.getElementById('page');
if (place) createRoot(place).render(createElement(Page));
