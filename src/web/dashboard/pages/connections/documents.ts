/** The queries and mutations of the developer pages. */
import { graphql, type ResultOf } from '../../api/graphql.ts';

export const TokensQuery = graphql(`
  query Tokens {
    accessTokens {
      id
      name
      tokenPrefix
      homePermissions
      createdAt
      lastUsedAt
      expiresAt
      revokedAt
      made {
        kind
        id
        name
      }
    }
  }
`);

export const CreateToken = graphql(`
  mutation CreateToken($name: String!, $homePermissions: String, $expiresAt: String) {
    createAccessToken(name: $name, homePermissions: $homePermissions, expiresAt: $expiresAt) {
      success
      error
      code
      reason
      token
    }
  }
`);

export const RevokeToken = graphql(`
  mutation RevokeToken($tokenId: String!, $endWhatItMade: Boolean) {
    revokeAccessToken(tokenId: $tokenId, endWhatItMade: $endWhatItMade) {
      success
      error
      code
      reason
    }
  }
`);

const WebhookFragment = graphql(`
  fragment WebhookFields on WebhookInfo {
    id
    name
    url
    status
    eventTypes
    homeIds
    roomIds
    accessoryIds
    collectionIds
    maxRetries
    rateLimitPerMinute
    timeoutMs
    secretPrefix
    previousSecretUntil
    consecutiveFailures
    lastSuccessAt
    lastFailureAt
    lastFailureReason
    queuedCount
    droppedCount
  }
`);

export const WebhooksQuery = graphql(
  `
    query Webhooks {
      webhooks {
        ...WebhookFields
      }
    }
  `,
  [WebhookFragment],
);

export type Webhook = NonNullable<NonNullable<ResultOf<typeof WebhooksQuery>['webhooks']>[number]>;

export const WebhookQuery = graphql(
  `
    query Webhook($webhookId: String!) {
      webhook(webhookId: $webhookId) {
        ...WebhookFields
      }
    }
  `,
  [WebhookFragment],
);

export const WebhookChoicesQuery = graphql(`
  query WebhookChoices {
    webhookEventTypes {
      eventType
      description
    }
    collections {
      id
      name
    }
    homes {
      id
      name
      rooms {
        id
        name
      }
      accessories {
        id
        name
      }
    }
  }
`);

export const CreateWebhook = graphql(`
  mutation CreateWebhook(
    $name: String!
    $url: String!
    $eventTypes: [String!]
    $homeIds: [String!]
    $roomIds: [String!]
    $accessoryIds: [String!]
    $collectionIds: [String!]
    $maxRetries: Int
    $rateLimitPerMinute: Int
    $timeoutMs: Int
  ) {
    createWebhook(
      name: $name
      url: $url
      eventTypes: $eventTypes
      homeIds: $homeIds
      roomIds: $roomIds
      accessoryIds: $accessoryIds
      collectionIds: $collectionIds
      maxRetries: $maxRetries
      rateLimitPerMinute: $rateLimitPerMinute
      timeoutMs: $timeoutMs
    ) {
      success
      error
      code
      reason
      rawSecret
    }
  }
`);

export const UpdateWebhook = graphql(`
  mutation UpdateWebhook(
    $webhookId: String!
    $name: String
    $url: String
    $eventTypes: [String!]
    $homeIds: [String!]
    $roomIds: [String!]
    $accessoryIds: [String!]
    $collectionIds: [String!]
    $maxRetries: Int
    $rateLimitPerMinute: Int
    $timeoutMs: Int
  ) {
    updateWebhook(
      webhookId: $webhookId
      name: $name
      url: $url
      eventTypes: $eventTypes
      homeIds: $homeIds
      roomIds: $roomIds
      accessoryIds: $accessoryIds
      collectionIds: $collectionIds
      maxRetries: $maxRetries
      rateLimitPerMinute: $rateLimitPerMinute
      timeoutMs: $timeoutMs
    ) {
      success
      error
      code
      reason
    }
  }
`);

export const PauseWebhook = graphql(`
  mutation PauseWebhook($webhookId: String!) {
    pauseWebhook(webhookId: $webhookId) {
      success
      error
      code
      reason
    }
  }
`);

export const ResumeWebhook = graphql(`
  mutation ResumeWebhook($webhookId: String!) {
    resumeWebhook(webhookId: $webhookId) {
      success
      error
      code
      reason
    }
  }
`);

export const DeleteWebhook = graphql(`
  mutation DeleteWebhook($webhookId: String!) {
    deleteWebhook(webhookId: $webhookId) {
      success
      error
      code
      reason
    }
  }
`);

export const RotateSecret = graphql(`
  mutation RotateSecret($webhookId: String!) {
    rotateWebhookSecret(webhookId: $webhookId) {
      success
      error
      code
      reason
      rawSecret
    }
  }
`);

export const TestWebhook = graphql(`
  mutation TestWebhook($webhookId: String!) {
    testWebhook(webhookId: $webhookId) {
      success
      error
      code
      reason
      statusCode
      responseTimeMs
    }
  }
`);

export const DeliveriesQuery = graphql(`
  query Deliveries($webhookId: String!, $status: String, $limit: Int, $offset: Int) {
    webhookDeliveryHistory(webhookId: $webhookId, status: $status, limit: $limit, offset: $offset) {
      total
      deliveries {
        id
        eventId
        eventType
        status
        attemptNumber
        maxAttempts
        createdAt
        nextRetryAt
        latencyMs
        responseStatusCode
        responseBody
        errorMessage
      }
    }
  }
`);

export type Delivery = NonNullable<ResultOf<typeof DeliveriesQuery>['webhookDeliveryHistory']>['deliveries'][number];

export const ResendDelivery = graphql(`
  mutation ResendDelivery($webhookId: String!, $deliveryId: String!) {
    resendWebhookDelivery(webhookId: $webhookId, deliveryId: $deliveryId) {
      success
      error
      code
      reason
    }
  }
`);
