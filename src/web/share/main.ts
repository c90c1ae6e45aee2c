/**
 * The live script of a share page. The page works without it. The script sends the same forms without a reload, and
 * updates texts and numbers in the relay's markup, which has the texts of the script as well. It creates no markup,
 * stores nothing, and sends requests only to the relay.
 */
import { sendForms } from './forms.ts';
import { followStream } from './stream.ts';
import { showView } from './view.ts';

const root = document.querySelector<HTMLElement>('.share');
const address = root?.dataset.address;
if (root && address) {
  root.classList.add('is-live');
  sendForms(root);
  followStream(root, address, (view) => showView(root, view));
}
