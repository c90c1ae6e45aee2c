/** The queries and mutations of the people pages. */
import { graphql } from '../../api/graphql.ts';

export const MembersQuery = graphql(`
  query Members($homeId: String!) {
    homeMembers(homeId: $homeId) {
      id
      userId
      email
      name
      role
      status
      isPending
      createdAt
    }
  }
`);

export const InviteMember = graphql(`
  mutation InviteMember($homeId: String!, $email: String!, $role: String!) {
    inviteHomeMember(homeId: $homeId, email: $email, role: $role) {
      success
      error
      code
      reason
      invitationUrl
      expiresAt
    }
  }
`);

export const ChangeMemberRole = graphql(`
  mutation ChangeMemberRole($homeId: String!, $memberId: String!, $role: String!) {
    updateHomeMemberRole(homeId: $homeId, memberId: $memberId, role: $role) {
      success
      error
      code
      reason
    }
  }
`);

export const RemoveMember = graphql(`
  mutation RemoveMember($homeId: String!, $memberId: String!) {
    removeHomeMember(homeId: $homeId, memberId: $memberId) {
      success
      error
      code
      reason
    }
  }
`);

export const AcceptInvitation = graphql(`
  mutation AcceptInvitation($homeId: String!) {
    acceptHomeInvitation(homeId: $homeId) {
      success
      error
      code
      reason
    }
  }
`);

export const DeclineInvitation = graphql(`
  mutation DeclineInvitation($homeId: String!) {
    rejectHomeInvitation(homeId: $homeId) {
      success
      error
      code
      reason
    }
  }
`);

export const PersonsQuery = graphql(`
  query Persons($homeId: String!) {
    people(homeId: $homeId) {
      id
      name
      userId
      atHome
      changedAt
      locatedAt
    }
  }
`);

export const CreatePerson = graphql(`
  mutation CreatePerson($homeId: String!, $name: String!, $userId: String) {
    createPerson(homeId: $homeId, name: $name, userId: $userId) {
      id
    }
  }
`);

export const RenamePerson = graphql(`
  mutation RenamePerson($homeId: String!, $personId: String!, $name: String!) {
    renamePerson(homeId: $homeId, personId: $personId, name: $name) {
      id
    }
  }
`);

export const LinkPerson = graphql(`
  mutation LinkPerson($homeId: String!, $personId: String!, $userId: String) {
    linkPerson(homeId: $homeId, personId: $personId, userId: $userId) {
      id
    }
  }
`);

export const DeletePerson = graphql(`
  mutation DeletePerson($homeId: String!, $personId: String!) {
    deletePerson(homeId: $homeId, personId: $personId) {
      success
      error
      code
      reason
    }
  }
`);

export const SetPresence = graphql(`
  mutation SetPresence($homeId: String!, $personId: String!, $atHome: Boolean!) {
    setPresence(homeId: $homeId, personId: $personId, atHome: $atHome) {
      id
    }
  }
`);

export const CreatePhoneToken = graphql(`
  mutation CreatePhoneToken($name: String!, $homePermissions: String!) {
    createAccessToken(name: $name, homePermissions: $homePermissions) {
      success
      error
      code
      reason
      token
    }
  }
`);

export const AccountsQuery = graphql(`
  query Accounts {
    communityUsers {
      id
      name
      email
      role
      isFounder
      hasSecondFactor
      createdAt
      lastLoginAt
    }
  }
`);

export const CreateAccount = graphql(`
  mutation CreateAccount($name: String!, $email: String, $password: String!, $role: String!, $homeIds: [String!]) {
    createCommunityUser(name: $name, email: $email, password: $password, role: $role, homeIds: $homeIds) {
      id
    }
  }
`);

export const RenameAccount = graphql(`
  mutation RenameAccount($userId: String!, $name: String!) {
    renameCommunityUser(userId: $userId, name: $name) {
      id
    }
  }
`);

export const ResetAccountPassword = graphql(`
  mutation ResetAccountPassword($userId: String!, $password: String!) {
    changeCommunityUserPassword(userId: $userId, password: $password) {
      success
      error
      code
      reason
    }
  }
`);

export const ResetTwoStep = graphql(`
  mutation ResetTwoStep($userId: String!) {
    resetSecondFactor(userId: $userId) {
      success
      error
      code
      reason
    }
  }
`);

export const DeleteAccount = graphql(`
  mutation DeleteAccount($userId: String!) {
    deleteCommunityUser(userId: $userId) {
      success
      error
      code
      reason
    }
  }
`);
