/** The queries and mutations of a home's settings. */
import { graphql } from '../../../api/graphql.ts';

export const UpdateHome = graphql(`
  mutation UpdateHome(
    $homeId: String!
    $name: String
    $location: JSON
    $timeZone: String
    $paused: Boolean
    $privileges: String
  ) {
    updateHome(
      homeId: $homeId
      name: $name
      location: $location
      timeZone: $timeZone
      paused: $paused
      privileges: $privileges
    ) {
      id
    }
  }
`);

export const CreateHome = graphql(`
  mutation CreateHome($name: String!) {
    createHome(name: $name) {
      id
      name
    }
  }
`);

export const DeleteHome = graphql(`
  mutation DeleteHome($homeId: String!) {
    deleteHome(homeId: $homeId) {
      success
      error
      code
      reason
    }
  }
`);
