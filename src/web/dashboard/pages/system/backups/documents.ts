/** The page's queries and mutations. Files are transferred over REST (`transfer.ts`). */
import { graphql, type ResultOf } from '../../../api/graphql.ts';

export const BackupsQuery = graphql(`
  query Backups {
    backups {
      name
      kind
      madeAt
      bytes
      isEncrypted
      isSound
      fault
      isOfThisRelay
      hasYourAccount
      contents {
        homes
        rooms
        accessories
        scenes
        automations
        users
      }
    }
    lastRestore {
      backup
      finishedAt
      outcome
      error
      undo
    }
  }
`);

export const LastRestoreQuery = graphql(`
  query LastRestore {
    lastRestore {
      finishedAt
      outcome
      error
    }
  }
`);

export const CreateBackup = graphql(`
  mutation CreateBackup {
    createBackup {
      success
      error
      code
      reason
      backup {
        name
      }
    }
  }
`);

export const DeleteBackup = graphql(`
  mutation DeleteBackup($name: String!) {
    deleteBackup(name: $name) {
      success
      error
      code
      reason
    }
  }
`);

export const RestoreBackup = graphql(`
  mutation RestoreBackup($name: String!, $password: String) {
    restoreBackup(name: $name, password: $password) {
      success
      error
      code
      reason
      undo
    }
  }
`);

export type BackupRow = NonNullable<NonNullable<ResultOf<typeof BackupsQuery>['backups']>[number]>;
export type LastRestore = NonNullable<ResultOf<typeof BackupsQuery>['lastRestore']>;
