/** The queries and mutations of the apps page. */
import { graphql } from '../../../api/graphql.ts';

export const AppsQuery = graphql(`
  query Apps {
    authorizedApps {
      clientId
      clientName
      redirectDomain
      scope
      homePermissions
      createdAt
      lastUsedAt
      made {
        kind
        id
        name
      }
    }
  }
`);

export const LimitApp = graphql(`
  mutation LimitApp($clientId: String!, $homePermissions: String) {
    updateAuthorizedApp(clientId: $clientId, homePermissions: $homePermissions) {
      success
      error
      code
      reason
    }
  }
`);

export const RevokeApp = graphql(`
  mutation RevokeApp($clientId: String!) {
    revokeAuthorizedApp(clientId: $clientId) {
      success
      error
      code
      reason
    }
  }
`);
