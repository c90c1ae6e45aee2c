/**
 * The GraphQL types and root fields of the API document (§2.4, §4.2), as a schema. A type that the document writes
 * stands here as written. Where it has only a name, the type here is what this relay decided, and stays as it is.
 */
export const DOCUMENTED_GRAPHQL = /* GraphQL */ `
  scalar JSON

  # §2.4

  type PlatformHome { id: String! name: String! role: String rooms: [PlatformRoom!]! }
  type CachedHome { homeId: String! name: String! role: String isConnected: Boolean memberCount: Int }
  type PlatformRoom { id: String! name: String! homeId: String! accessories: [PlatformAccessory!]! }
  type PlatformScene { id: String! name: String! homeId: String! }
  type PlatformAccessory {
    id: String! name: String! homeId: String! roomId: String! category: String reachable: Boolean! services: [PlatformService!]!
  }
  type PlatformService { id: String! type: String! name: String characteristics: [PlatformCharacteristic!]! }
  type PlatformCharacteristic {
    type: String! value: JSON description: String format: String unit: String minValue: Float maxValue: Float minStep: Float
    validValues: [String] canRead: Boolean! canWrite: Boolean!
  }
  type PlatformZone { id: String! name: String! homeId: String! roomIds: [String!]! }
  type PlatformServiceGroup { id: String! name: String! homeId: String! serviceIds: [String!]! accessoryIds: [String!]! }
  type CharacteristicValue { accessoryId: String! characteristicType: String! value: JSON }
  type ExecuteSceneResult { success: Boolean! sceneId: String }
  type SetServiceGroupResult { success: Boolean! groupId: String affectedCount: Int! }
  type SetCharacteristicResult { success: Boolean! value: JSON error: String }
  type PlatformAutomation {
    id: String! name: String! isEnabled: Boolean! trigger: AutomationTrigger! actions: [AutomationAction!]! lastFireDate: String
    homeId: String
  }
  type AutomationTrigger {
    type: String! fireDate: String recurrence: String timeZone: String events: [AutomationEvent!] endEvents: [AutomationEvent!]
    recurrences: String executeOnce: Boolean activationState: String
  }
  type AutomationEvent {
    type: String! accessoryId: String accessoryName: String characteristicType: String triggerValue: String significantEvent: String
    offsetMinutes: Int latitude: Float longitude: Float radius: Float presenceType: String presenceEvent: String
  }
  type AutomationAction { accessoryId: String! accessoryName: String! characteristicType: String! targetValue: String }
  type AutomationResult { success: Boolean! automationId: String! error: String }
  type AccessTokenInfo {
    id: String! name: String! tokenPrefix: String! lastUsedAt: String expiresAt: String revokedAt: String createdAt: String
  }
  type CreateAccessTokenResult { success: Boolean! token: String rawToken: String accessToken: AccessTokenInfo error: String }
  type WebhookInfo {
    id: String! name: String! url: String! secretPrefix: String! status: String! eventTypes: [String!]! homeIds: [String!]!
    roomIds: [String!]! accessoryIds: [String!]! collectionIds: [String!]! maxRetries: Int! rateLimitPerMinute: Int timeoutMs: Int!
    consecutiveFailures: Int! lastTriggeredAt: String lastSuccessAt: String lastFailureAt: String createdAt: String
  }
  type CreateWebhookResult { success: Boolean! webhook: WebhookInfo rawSecret: String error: String }
  type PushTokenInfo {
    id: String! platform: String! deviceName: String deviceFingerprint: String! createdAt: String! lastUsedAt: String
  }
  type NotificationPreferenceInfo {
    id: String! scope: String! scopeId: String pushEnabled: Boolean! emailEnabled: Boolean! localEnabled: Boolean!
  }
  type NotificationLogInfo {
    id: String! automationId: String homeId: String title: String message: String! channelsSent: String! channelsFailed: String
    rateLimited: Boolean! createdAt: String! buttons: [NotificationButton!]! pressed: PressedNotificationButton
    buttonsExpireAt: String
  }
  type AuthorizedAppInfo { clientId: String! clientName: String! scope: String! createdAt: String }
  type EntityAccess {
    id: String! accessType: String! role: String! name: String userEmail: String hasPasscode: Boolean! createdAt: String!
    entityType: String! entityId: String! accessSchedule: String
  }
  type SharingInfo {
    isShared: Boolean! hasPublic: Boolean! publicRole: String passcodeCount: Int! userCount: Int! shareHash: String shareUrl: String
  }

  # §4.2

  type Query {
    homes: [PlatformHome]
    cachedHomes: [CachedHome]
    rooms(homeId: String!): [PlatformRoom]
    zones(homeId: String!): [PlatformZone]
    serviceGroups(homeId: String!): [PlatformServiceGroup]
    scenes(homeId: String!): [PlatformScene]
    accessories(homeId: String, roomId: String): [PlatformAccessory]
    accessory(accessoryId: String!, homeId: String): PlatformAccessory
    characteristicGet(accessoryId: String!, characteristicType: String!, homeId: String): CharacteristicValue
    automations(homeId: String!): [PlatformAutomation]
    accessTokens: [AccessTokenInfo]
    webhooks: [WebhookInfo]
    webhook(webhookId: String!): WebhookInfo
    webhookEventTypes: [WebhookEventTypeInfo]
    webhookDeliveryHistory(webhookId: String!, offset: Int, limit: Int): DeliveryHistoryResult
    authorizedApps: [AuthorizedAppInfo]
    pushTokens: [PushTokenInfo]
    notificationPreferences: [NotificationPreferenceInfo]
    notificationHistory(limit: Int, offset: Int, automationId: String): [NotificationLogInfo]
    entityAccess(entityType: String!, entityId: String!): [EntityAccess]
    sharingInfo(entityType: String!, entityId: String!): SharingInfo
    mySharedEntities: [EntityAccess]
    publicEntity(shareHash: String!, passcode: String): PublicEntity
    publicEntityAccessories(shareHash: String!): [PlatformAccessory]
  }

  type Mutation {
    # "string in examples": clients send a text that holds JSON, others the value.
    setCharacteristic(accessoryId: String!, characteristicType: String!, value: JSON!, homeId: String): SetCharacteristicResult
    setServiceGroup(homeId: String!, groupId: String!, characteristicType: String!, value: JSON!): SetServiceGroupResult
    executeScene(sceneId: String!, homeId: String): ExecuteSceneResult
    createAutomation(homeId: String!, name: String!, trigger: String!, actions: String!): PlatformAutomation
    updateAutomation(
      automationId: String!, homeId: String, name: String, trigger: String, actions: String, enabled: Boolean
    ): PlatformAutomation
    deleteAutomation(automationId: String!, homeId: String): AutomationResult
    setAutomationEnabled(automationId: String!, enabled: Boolean!, homeId: String): PlatformAutomation
    # §2.6: null or left out for all homes.
    createAccessToken(name: String!, homePermissions: String, expiresAt: String): CreateAccessTokenResult
    revokeAccessToken(tokenId: String!): RevokeAccessTokenResult
    createWebhook(
      name: String!, url: String!, eventTypes: [String!], homeIds: [String!], roomIds: [String!], accessoryIds: [String!],
      collectionIds: [String!], maxRetries: Int, rateLimitPerMinute: Int, timeoutMs: Int
    ): CreateWebhookResult
    updateWebhook(
      webhookId: String!, name: String, url: String, eventTypes: [String!], homeIds: [String!], roomIds: [String!],
      accessoryIds: [String!], collectionIds: [String!], maxRetries: Int, rateLimitPerMinute: Int, timeoutMs: Int
    ): UpdateWebhookResult
    deleteWebhook(webhookId: String!): DeleteWebhookResult
    pauseWebhook(webhookId: String!): UpdateWebhookResult
    resumeWebhook(webhookId: String!): UpdateWebhookResult
    rotateWebhookSecret(webhookId: String!): RotateSecretResult
    testWebhook(webhookId: String!): TestWebhookResult
    revokeAuthorizedApp(clientId: String!): RevokeAuthorizedAppResult
    registerPushToken(token: String!, platform: String!, deviceFingerprint: String!, deviceName: String): RegisterPushTokenResult
    unregisterPushToken(deviceFingerprint: String!): Boolean
    setNotificationPreference(
      scope: String!, scopeId: String, pushEnabled: Boolean!, emailEnabled: Boolean!, localEnabled: Boolean!
    ): SetNotificationPreferenceResult
    deleteNotificationPreference(scope: String!, scopeId: String): Boolean
    sendTestNotification(message: String): Boolean
    # A collection is in no home, so that homeId may be left out.
    createEntityAccess(
      entityType: String!, entityId: String!, accessType: String!, role: String!, homeId: String, passcode: String,
      userEmail: String, name: String, accessSchedule: String
    ): EntityAccessResult
    updateEntityAccess(accessId: String!, role: String): EntityAccessResult
    deleteEntityAccess(accessId: String!): DeleteEntityAccessResult
    publicEntitySetCharacteristic(
      shareHash: String!, accessoryId: String!, characteristicType: String!, value: JSON!
    ): PublicEntitySetResult
  }
`;
