/** The queries and mutations of the share pages. */
import { graphql, type ResultOf } from '../../api/graphql.ts';

const ShareFragment = graphql(`
  fragment ShareFields on EntityAccess {
    id
    entityType
    entityId
    entityName
    homeId
    name
    accessType
    role
    userEmail
    accessSchedule
    requirePost
    shareHash
    shareUrl
    createdAt
  }
`);

export const SharesQuery = graphql(
  `
    query Shares($homeId: String!) {
      homeShares(homeId: $homeId) {
        ...ShareFields
      }
      mySharedEntities {
        ...ShareFields
      }
    }
  `,
  [ShareFragment],
);

export type Share = NonNullable<NonNullable<ResultOf<typeof SharesQuery>['homeShares']>[number]>;

/** Data that the home store does not contain. */
export const ShareablesQuery = graphql(`
  query Shareables($homeId: String!) {
    roomGroups(homeId: $homeId) {
      id
      name
      roomIds
    }
    collections {
      id
      name
      content
    }
  }
`);

export const CreateShare = graphql(`
  mutation CreateShare(
    $entityType: String!
    $entityId: String!
    $accessType: String!
    $role: String!
    $name: String
    $passcode: String
    $userEmail: String
    $accessSchedule: String
    $requirePost: Boolean
  ) {
    createEntityAccess(
      entityType: $entityType
      entityId: $entityId
      accessType: $accessType
      role: $role
      name: $name
      passcode: $passcode
      userEmail: $userEmail
      accessSchedule: $accessSchedule
      requirePost: $requirePost
    ) {
      success
      error
      code
      reason
      shareUrl
    }
  }
`);

export const UpdateShare = graphql(`
  mutation UpdateShare(
    $accessId: String!
    $role: String
    $name: String
    $passcode: String
    $accessSchedule: String
    $requirePost: Boolean
  ) {
    updateEntityAccess(
      accessId: $accessId
      role: $role
      name: $name
      passcode: $passcode
      accessSchedule: $accessSchedule
      requirePost: $requirePost
    ) {
      success
      error
      code
      reason
    }
  }
`);

export const DeleteShare = graphql(`
  mutation DeleteShare($accessId: String!) {
    deleteEntityAccess(accessId: $accessId) {
      success
      error
      code
      reason
    }
  }
`);
