/** What the page about apps asks of the relay, and what it changes. */
import { graphql } from '../../api/graphql.ts';

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
    }
  }
`);

export const LimitApp = graphql(`
  mutation LimitApp($clientId: String!, $homePermissions: JSON) {
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
