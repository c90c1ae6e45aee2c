/** The queries and mutations of passkeys. */
import { graphql } from '../../api/graphql.ts';

export const PasskeysQuery = graphql(`
  query Passkeys {
    secondFactor {
      isOn
    }
    passkeys {
      id
      name
      host
      isSynced
      createdAt
      lastUsedAt
    }
  }
`);

export const BeginPasskey = graphql(`
  mutation BeginPasskey($currentPassword: String!) {
    beginPasskey(currentPassword: $currentPassword) {
      success
      error
      code
      reason
      options
    }
  }
`);

export const CreatePasskey = graphql(`
  mutation CreatePasskey($name: String!, $response: JSON!) {
    createPasskey(name: $name, response: $response) {
      success
      error
      code
      reason
    }
  }
`);

export const RenamePasskey = graphql(`
  mutation RenamePasskey($id: String!, $name: String!) {
    renamePasskey(id: $id, name: $name) {
      success
      error
      code
      reason
    }
  }
`);

export const RemovePasskey = graphql(`
  mutation RemovePasskey($id: String!) {
    removePasskey(id: $id) {
      success
      error
      code
      reason
    }
  }
`);
