/** The queries and mutations of the virtual accessory pages. */
import { graphql, present, type ResultOf } from '../../api/graphql.ts';
import { useApiQuery } from '../../api/query.ts';
import { useHome } from '../../home/use-home.ts';

const VirtualQuery = graphql(`
  query VirtualAccessories($homeId: String!) {
    virtualAccessories(homeId: $homeId) {
      id
      name
      virtualType
      roomId
      controllable
      config
    }
  }
`);

export type VirtualRow = NonNullable<NonNullable<ResultOf<typeof VirtualQuery>['virtualAccessories']>[number]>;

export const CreateVirtual = graphql(`
  mutation CreateVirtualAccessory(
    $homeId: String!
    $type: String!
    $name: String!
    $roomId: String
    $controllable: Boolean
    $data: JSON
  ) {
    createVirtualAccessory(
      homeId: $homeId
      type: $type
      name: $name
      roomId: $roomId
      controllable: $controllable
      data: $data
    ) {
      id
      name
    }
  }
`);

export const UpdateVirtual = graphql(`
  mutation UpdateVirtualAccessory(
    $accessoryId: String!
    $name: String
    $roomId: String
    $controllable: Boolean
    $data: JSON
  ) {
    updateVirtualAccessory(
      accessoryId: $accessoryId
      name: $name
      roomId: $roomId
      controllable: $controllable
      data: $data
    ) {
      id
    }
  }
`);

export const DeleteVirtual = graphql(`
  mutation DeleteVirtualAccessory($accessoryId: String!) {
    deleteVirtualAccessory(accessoryId: $accessoryId)
  }
`);

export function useVirtualList() {
  const { id } = useHome();
  const query = useApiQuery(VirtualQuery, { homeId: id }, { subjects: ['inventory'] });
  return { ...query, data: query.data && present(query.data.virtualAccessories) };
}
