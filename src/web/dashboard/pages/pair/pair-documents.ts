/** The queries and mutations of the pages that add accessories. */
import { graphql } from '../../api/graphql.ts';

export const RefreshDiscovery = graphql(`
  mutation RefreshDiscovery {
    refreshDiscovery {
      success
      error
      code
      reason
    }
  }
`);

export const IdentifyDiscovered = graphql(`
  mutation IdentifyDiscovered($deviceId: String!) {
    identifyDiscovered(deviceId: $deviceId) {
      success
      error
      code
      reason
    }
  }
`);

export const IdentifyAccessory = graphql(`
  mutation IdentifyPairedAccessory($accessoryId: String!) {
    identifyAccessory(accessoryId: $accessoryId) {
      success
      error
      code
      reason
    }
  }
`);

export const RoomsQuery = graphql(`
  query RoomsToPairInto($homeId: String!) {
    home(homeId: $homeId) {
      id
      rooms {
        id
        name
        isDefault
      }
    }
  }
`);

export const CreateRoom = graphql(`
  mutation CreateRoomWhilePairing($homeId: String!, $name: String!) {
    createRoom(homeId: $homeId, name: $name) {
      id
    }
  }
`);

export const RenameAccessory = graphql(`
  mutation RenameNewAccessory($accessoryId: String!, $name: String!) {
    renameAccessory(accessoryId: $accessoryId, name: $name) {
      id
    }
  }
`);

export const MoveAccessory = graphql(`
  mutation MoveNewAccessory($accessoryId: String!, $roomId: String!) {
    moveAccessory(accessoryId: $accessoryId, roomId: $roomId) {
      id
    }
  }
`);

export const Unpair = graphql(`
  mutation UndoPairing($deviceId: String!) {
    unpairAccessory(deviceId: $deviceId) {
      success
      error
      code
      reason
    }
  }
`);
