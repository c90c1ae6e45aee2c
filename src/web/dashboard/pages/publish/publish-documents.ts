/** The queries and mutations of the page about publishing. */
import { graphql, type ResultOf } from '../../api/graphql.ts';

const PublicationFragment = graphql(`
  fragment PublicationFields on Publication {
    id
    name
    kind
    paused
    status
    error
    hasLockPin
    selection {
      scope
      roomIds
      types
      accessoryIds
      serviceGroupIds
      sceneIds
      exceptIds
    }
    bridges {
      id
      name
      setupCode
      setupUri
      manualCode
      qrCode
      hasMatterPort
      windowEndsAt
      accessories
      controllers
    }
    controllers {
      identifier
      bridgeId
      name
      isAdmin
      pairedAt
      lastSeenAt
      isConnected
      address
    }
  }
`);

export const PublicationsQuery = graphql(
  `
    query Publications($homeId: String!) {
      publications(homeId: $homeId) {
        ...PublicationFields
      }
    }
  `,
  [PublicationFragment],
);

export type Publication = NonNullable<NonNullable<ResultOf<typeof PublicationsQuery>['publications']>[number]>;
export type Bridge = Publication['bridges'][number];
export type Controller = Publication['controllers'][number];
export type Selection = Publication['selection'];

export const PreviewQuery = graphql(`
  query PublicationPreview(
    $homeId: String!
    $kind: String!
    $selection: PublicationSelectionInput
    $publicationId: String
  ) {
    publicationPreview(homeId: $homeId, kind: $kind, selection: $selection, publicationId: $publicationId) {
      items {
        id
        kind
        name
        room
        publishedAs
        bridge
        reason
        note
        remarks {
          code
          count
          limit
        }
      }
      bridges {
        name
        accessories
      }
      warnings
      remarks {
        code
        count
        limit
      }
    }
  }
`);

export type Preview = NonNullable<ResultOf<typeof PreviewQuery>['publicationPreview']>;

export const CreatePublication = graphql(`
  mutation CreatePublication(
    $homeId: String!
    $name: String!
    $kind: String!
    $selection: PublicationSelectionInput!
    $lockPin: String
  ) {
    createPublication(homeId: $homeId, name: $name, kind: $kind, selection: $selection, lockPin: $lockPin) {
      id
    }
  }
`);

export const UpdatePublication = graphql(`
  mutation UpdatePublication(
    $publicationId: String!
    $name: String!
    $selection: PublicationSelectionInput!
    $lockPin: String
  ) {
    updatePublication(publicationId: $publicationId, name: $name, selection: $selection, lockPin: $lockPin) {
      id
    }
  }
`);

export const PausePublication = graphql(`
  mutation PausePublication($publicationId: String!) {
    pausePublication(publicationId: $publicationId) {
      id
    }
  }
`);

export const ResumePublication = graphql(`
  mutation ResumePublication($publicationId: String!) {
    resumePublication(publicationId: $publicationId) {
      id
    }
  }
`);

export const OpenWindow = graphql(`
  mutation OpenPublicationWindow($publicationId: String!) {
    openPublicationWindow(publicationId: $publicationId) {
      id
    }
  }
`);

export const CloseWindow = graphql(`
  mutation ClosePublicationWindow($publicationId: String!) {
    closePublicationWindow(publicationId: $publicationId) {
      id
    }
  }
`);

export const ResetPublication = graphql(`
  mutation ResetPublication($publicationId: String!) {
    resetPublication(publicationId: $publicationId) {
      id
    }
  }
`);

export const DeletePublication = graphql(`
  mutation DeletePublication($publicationId: String!) {
    deletePublication(publicationId: $publicationId) {
      success
      error
      code
      reason
    }
  }
`);

export const RemoveController = graphql(`
  mutation RemovePublicationController($publicationId: String!, $identifier: String!) {
    removePublicationController(publicationId: $publicationId, identifier: $identifier) {
      success
      error
      code
      reason
    }
  }
`);
