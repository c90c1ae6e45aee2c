/** What modules of the dashboard look at while they are loaded and Node 20 does not have. */
if (typeof navigator === 'undefined') {
  Object.defineProperty(globalThis, 'navigator', {
    value: { language: 'en-GB', languages: ['en-GB'] },
    configurable: true,
  });
}
