/**
 * The page of a share, made live. It works without this: what is here sends the same forms without loading the page anew, and puts
 * words and numbers that the relay sends where the relay has put them first. It makes no markup, keeps nothing, and asks nobody else.
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
