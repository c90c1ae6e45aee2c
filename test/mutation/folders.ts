/** What `npm run mutation -- <name>` changes, and the tests that must notice. */
export interface MutatedFolder {
  /** A folder of sources, from the root of the repository. */
  readonly sources: string;
  /** The folders of the suites that belong to it. */
  readonly tests: readonly string[];
}

export const FOLDERS: Readonly<Record<string, MutatedFolder>> = {
  access: { sources: 'src/app/access', tests: ['test/app/access', 'test/app/users', 'test/app/sharing'] },
  sharing: { sources: 'src/app/sharing', tests: ['test/app/sharing', 'test/app/access'] },
  oauth: { sources: 'src/app/oauth', tests: ['test/app/oauth', 'test/app/access', 'test/api/oauth'] },
  hap: { sources: 'src/drivers/hap', tests: ['test/drivers/hap'] },
  storage: { sources: 'src/storage', tests: ['test/storage', 'test/app/backup'] },
  home: {
    sources: 'src/home',
    tests: ['test/home', 'test/app/layout', 'test/app/groups', 'test/app/control', 'test/app/scenes'],
  },
  history: { sources: 'src/app/history', tests: ['test/app/history'] },
  webhooks: { sources: 'src/app/webhooks', tests: ['test/app/webhooks'] },
  engine: { sources: 'src/app/automations/engine', tests: ['test/app/automations'] },
};
