/** The queries and mutations of the MQTT page. */
import { graphql, type ResultOf } from '../../../api/graphql.ts';

export const MqttQuery = graphql(`
  query Mqtt($homeId: String!) {
    homeMqttStatus(homeId: $homeId) {
      enabled
      brokers {
        id
        name
        host
        port
        useTls
        ca
        username
        hasPassword
        topicPrefix
        haDiscovery
        haDiscoveryPrefix
        enabled
        status
        error
        fault
        connectedAt
        isConfigured
      }
    }
  }
`);

export type Broker = NonNullable<
  NonNullable<NonNullable<ResultOf<typeof MqttQuery>['homeMqttStatus']>['brokers']>[number]
>;

export const DiscoverBrokers = graphql(`
  mutation DiscoverBrokers($homeId: String!) {
    discoverHomeMqttBrokers(homeId: $homeId) {
      kind
      name
      host
      port
      isAdded
    }
  }
`);

export const SetMqttEnabled = graphql(`
  mutation SetMqttEnabled($homeId: String!, $enabled: Boolean!) {
    setHomeMqttEnabled(homeId: $homeId, enabled: $enabled) {
      success
      error
      code
      reason
    }
  }
`);

export const AddBroker = graphql(`
  mutation AddBroker(
    $homeId: String!
    $name: String!
    $host: String!
    $port: Int
    $useTls: Boolean
    $ca: String
    $username: String
    $password: String
    $topicPrefix: String
    $haDiscovery: Boolean
    $haDiscoveryPrefix: String
  ) {
    addHomeMqttBroker(
      homeId: $homeId
      name: $name
      host: $host
      port: $port
      useTls: $useTls
      ca: $ca
      username: $username
      password: $password
      topicPrefix: $topicPrefix
      haDiscovery: $haDiscovery
      haDiscoveryPrefix: $haDiscoveryPrefix
    ) {
      id
    }
  }
`);

export const UpdateBroker = graphql(`
  mutation UpdateBroker(
    $brokerId: String!
    $name: String
    $host: String
    $port: Int
    $useTls: Boolean
    $ca: String
    $username: String
    $password: String
    $topicPrefix: String
    $haDiscovery: Boolean
    $haDiscoveryPrefix: String
    $enabled: Boolean
  ) {
    updateHomeMqttBroker(
      brokerId: $brokerId
      name: $name
      host: $host
      port: $port
      useTls: $useTls
      ca: $ca
      username: $username
      password: $password
      topicPrefix: $topicPrefix
      haDiscovery: $haDiscovery
      haDiscoveryPrefix: $haDiscoveryPrefix
      enabled: $enabled
    ) {
      id
    }
  }
`);

export const RemoveBroker = graphql(`
  mutation RemoveBroker($brokerId: String!) {
    removeHomeMqttBroker(brokerId: $brokerId) {
      success
      error
      code
      reason
    }
  }
`);

export const TestBroker = graphql(`
  mutation TestBroker($brokerId: String!) {
    testHomeMqttBroker(brokerId: $brokerId) {
      success
      error
      code
      reason
      responseTimeMs
    }
  }
`);
