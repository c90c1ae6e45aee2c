/** The account queries and mutations of the settings. */
import { graphql } from '../../api/graphql.ts';

export const UpdateProfile = graphql(`
  mutation UpdateProfile($name: String, $email: String, $currentPassword: String) {
    updateProfile(name: $name, email: $email, currentPassword: $currentPassword) {
      success
      error
      code
      reason
    }
  }
`);

export const ChangePassword = graphql(`
  mutation ChangePassword($currentPassword: String!, $newPassword: String!) {
    changePassword(currentPassword: $currentPassword, newPassword: $newPassword) {
      success
      error
      code
      reason
      token
      expiresAt
    }
  }
`);

export const SessionsQuery = graphql(`
  query Sessions {
    sessions {
      id
      name
      address
      lastSeenAt
      isCurrent
    }
  }
`);

export const EndSession = graphql(`
  mutation EndSession($id: String!) {
    removeSession(deviceId: $id)
  }
`);

export const EndOtherSessions = graphql(`
  mutation EndOtherSessions {
    removeOtherSessions
  }
`);

export const VersionQuery = graphql(`
  query Version {
    version
  }
`);
