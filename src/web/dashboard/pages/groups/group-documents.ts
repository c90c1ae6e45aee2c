/**
 * The queries and mutations of the page of rooms and groups. Collections belong to the user; everything else belongs to
 * the home.
 */
import { graphql, present } from '../../api/graphql.ts';
import { useApiQuery } from '../../api/query.ts';
import { useHome } from '../../home/use-home.ts';

const SetsQuery = graphql(`
  query RoomSets($homeId: String!) {
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

export const CreateServiceGroup = graphql(`
  mutation CreateServiceGroup($homeId: String!, $name: String!, $serviceIds: [String!]) {
    createServiceGroup(homeId: $homeId, name: $name, serviceIds: $serviceIds) {
      id
    }
  }
`);

export const UpdateServiceGroup = graphql(`
  mutation UpdateServiceGroup($id: String!, $name: String, $serviceIds: [String!]) {
    updateServiceGroup(groupId: $id, name: $name, serviceIds: $serviceIds) {
      id
    }
  }
`);

export const DeleteServiceGroup = graphql(`
  mutation DeleteServiceGroup($id: String!) {
    deleteServiceGroup(groupId: $id) {
      success
      error
      code
      reason
    }
  }
`);

export const CreateZone = graphql(`
  mutation CreateZone($homeId: String!, $name: String!, $roomIds: [String!]!) {
    createZone(homeId: $homeId, name: $name, roomIds: $roomIds) {
      id
    }
  }
`);

export const UpdateZone = graphql(`
  mutation UpdateZone($id: String!, $name: String, $roomIds: [String!]) {
    updateZone(zoneId: $id, name: $name, roomIds: $roomIds) {
      id
    }
  }
`);

export const DeleteZone = graphql(`
  mutation DeleteZone($id: String!) {
    deleteZone(zoneId: $id) {
      success
      error
      code
      reason
    }
  }
`);

export const CreateRoomGroup = graphql(`
  mutation CreateRoomGroup($homeId: String!, $name: String!, $roomIds: [String!]!) {
    createRoomGroup(homeId: $homeId, name: $name, roomIds: $roomIds) {
      id
    }
  }
`);

export const UpdateRoomGroup = graphql(`
  mutation UpdateRoomGroup($id: String!, $name: String, $roomIds: [String!]) {
    updateRoomGroup(groupId: $id, name: $name, roomIds: $roomIds) {
      id
    }
  }
`);

export const DeleteRoomGroup = graphql(`
  mutation DeleteRoomGroup($id: String!) {
    deleteRoomGroup(groupId: $id) {
      success
      error
      code
      reason
    }
  }
`);

export const CreateCollection = graphql(`
  mutation CreateCollection($name: String!, $payload: JSON) {
    createCollection(name: $name, payload: $payload) {
      id
    }
  }
`);

export const UpdateCollection = graphql(`
  mutation UpdateCollection($id: String!, $name: String, $payload: JSON) {
    updateCollection(collectionId: $id, name: $name, payload: $payload) {
      id
    }
  }
`);

export const DeleteCollection = graphql(`
  mutation DeleteCollection($id: String!) {
    deleteCollection(collectionId: $id)
  }
`);

export function useRoomSets() {
  const { id } = useHome();
  const query = useApiQuery(SetsQuery, { homeId: id }, { subjects: ['groups'] });
  const data = query.data && {
    roomGroups: present(query.data.roomGroups),
    collections: present(query.data.collections),
  };
  return { ...query, data };
}
