/**
 * The API reference: Swagger UI over `/openapi.json`. It loads nothing from anywhere else, keeps the token of "Authorize" in
 * memory only, and sends requests to nobody but the relay that served it.
 */
import SwaggerUI from 'swagger-ui-dist/swagger-ui-es-bundle.js';
import 'swagger-ui-dist/swagger-ui.css';
import './page.css';

// The style sheet's dark half hangs on a class, not on the browser's preference.
const dark = window.matchMedia('(prefers-color-scheme: dark)');
const followPreference = (): void => {
  document.documentElement.classList.toggle('dark-mode', dark.matches);
};
dark.addEventListener('change', followPreference);
followPreference();

SwaggerUI({
  url: '/openapi.json',
  dom_id: '#reference',
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  tryItOutEnabled: true,
  persistAuthorization: false,
  // Else it would ask a site on the internet whether the document is valid.
  validatorUrl: null,
});
