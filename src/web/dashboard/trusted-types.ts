/**
 * With the page's policy (Trusted Types), markup and script URLs must pass through here. Mantine writes style sheets as
 * text, which never contain an angle bracket; the service worker is the only script URL at run time. Everything else
 * throws.
 */
const SERVICE_WORKER = '/sw.js';

interface PolicyFactory {
  createPolicy(
    name: string,
    rules: { createHTML(text: string): string; createScriptURL(address: string): string },
  ): unknown;
}

const { trustedTypes } = window as { trustedTypes?: PolicyFactory };

trustedTypes?.createPolicy('default', {
  createHTML(text) {
    if (text.includes('<')) throw new TypeError('Markup is made of elements here, never of text');
    return text;
  },
  createScriptURL(address) {
    if (new URL(address, location.href).pathname !== SERVICE_WORKER)
      throw new TypeError(`No script of ours: ${address}`);
    return address;
  },
});
