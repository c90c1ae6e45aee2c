/**
 * The script of the sign-in page, for passkeys alone: the page works without it. It asks the relay for a challenge, has
 * the browser sign it, and sends the page's own form with the answer, so that the relay leads on from there as it does
 * after a password.
 */
import { getCredential, passkeyObstacle } from '../passkeys/webauthn.ts';

const section = document.querySelector<HTMLElement>('[data-passkey]');
const form = section?.querySelector('form');
if (section && form && passkeyObstacle() === undefined) {
  section.hidden = false;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void signIn(section, form);
  });
}

async function signIn(place: HTMLElement, within: HTMLFormElement): Promise<void> {
  const { passkey: address = '', failed = '', noAnswer = '' } = place.dataset;
  const button = within.querySelector('button');
  if (button) button.disabled = true;
  show(place, '');
  const options = await begin(address, within).catch(() => undefined);
  const answer = options && (await getCredential(options).catch(() => undefined));
  if (answer) send(within, answer);
  else show(place, options ? failed : noAnswer);
  if (button && !answer) button.disabled = false;
}

async function begin(address: string, within: HTMLFormElement): Promise<unknown> {
  const body = new URLSearchParams();
  for (const [name, value] of new FormData(within)) if (typeof value === 'string') body.append(name, value);
  const answer = await fetch(address, { method: 'POST', body, headers: { Accept: 'application/json' } });
  if (!answer.ok) throw new Error(`Answered ${answer.status}`);
  return answer.json();
}

function send(within: HTMLFormElement, answer: object): void {
  const field = document.createElement('input');
  field.type = 'hidden';
  field.name = 'passkey';
  field.value = JSON.stringify(answer);
  within.append(field);
  within.submit();
}

function show(place: HTMLElement, problem: string): void {
  const line = place.querySelector('.problem');
  if (line) line.textContent = problem;
}
