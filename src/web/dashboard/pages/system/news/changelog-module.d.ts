/** Made of CHANGELOG.md by `web/docs/build-changelog.ts`. */
declare module 'changelog:versions' {
  const versions: readonly import('./changelog.ts').ChangelogVersion[];
  // biome-ignore lint/style/noDefaultExport: as in modules of texts.
  export default versions;
}
