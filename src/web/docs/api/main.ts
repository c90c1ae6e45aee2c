/**
 * The API reference: Swagger UI over `/openapi.json`. It loads nothing from other sites, keeps the token of "Authorize"
 * in memory only, and sends requests only to the relay that served it. On a static site it sends none.
 */
import SwaggerUI from 'swagger-ui-dist/swagger-ui-es-bundle.js';
import 'swagger-ui-dist/swagger-ui.css';
import './page.css';
import { resolveSubtree } from './resolve-references.ts';

// The dark part of the style sheet depends on a class, not on the browser's preference.
const dark = window.matchMedia('(prefers-color-scheme: dark)');
const followPreference = (): void => {
  document.documentElement.classList.toggle('dark-mode', dark.matches);
};
dark.addEventListener('change', followPreference);
followPreference();

/** Pages of a relay link to the rest of it. */
const hasRelay = document.querySelector('a.relay') !== null;

SwaggerUI({
  url: document.querySelector<HTMLElement>('#reference')?.dataset.description ?? '',
  dom_id: '#reference',
  plugins: [() => ({ fn: { resolveSubtree } })],
  docExpansion: 'list',
  // The manual's search links to single operations.
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  tryItOutEnabled: hasRelay,
  ...(hasRelay ? {} : { supportedSubmitMethods: [] }),
  persistAuthorization: false,
  // Otherwise it would ask an external site whether the document is valid.
  validatorUrl: null,
});
