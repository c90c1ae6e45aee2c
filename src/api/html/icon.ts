/** The logo: a roof with a fire under it, for the pages' headers and for the browser's tab. */

export const ROOF = 'M4 15.5 16 5l12 10.5V27a1.5 1.5 0 0 1-1.5 1.5h-21A1.5 1.5 0 0 1 4 27Z';
export const FLAME =
  'M16.4 12.6c.5 2.9 4.1 4.4 4.1 8a4.5 4.5 0 0 1-9 .2c0-2.1 1.3-2.9 1.7-4.7 1.1.5 1.5 1.3 1.6 2 .9-1.3 1.7-3 1.6-5.5Z';

const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path fill="#a8431c" d="${ROOF}"/><path fill="#ffe3b8" d="${FLAME}"/></svg>`;

/** Inline in the page: it needs no further request. */
export const ICON_ADDRESS = `data:image/svg+xml,${encodeURIComponent(ICON)}`;
