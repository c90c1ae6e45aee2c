import { graphql } from '../../api/graphql.ts';

/** So many, the newest, are listed at first. */
export const LISTED_NOTIFICATIONS = 50;

/** Those that a link can lead to. */
export const NotificationIds = graphql(`
  query NotificationIds($limit: Int!) {
    notificationHistory(limit: $limit) {
      id
    }
  }
`);

export const NotificationsQuery = graphql(`
  query Notifications($limit: Int!, $homeId: String!) {
    notificationHistory(limit: $limit) {
      id
      automationId
      homeId
      title
      message
      channelsSent
      channelsFailed
      link
      isRead
      rateLimited
      buttons {
        id
        title
      }
      buttonsExpireAt
      pressed {
        title
        by {
          kind
          name
        }
      }
      createdAt
    }
    unreadNotifications
    notificationPreferences {
      id
      scope
      scopeId
      pushEnabled
      emailEnabled
      localEnabled
    }
    notificationChannels {
      name
      configured
    }
    flows(homeId: $homeId) {
      id
      name
    }
  }
`);

export const SetPreference = graphql(`
  mutation SetNotificationPreference(
    $scope: String!
    $scopeId: String
    $pushEnabled: Boolean!
    $emailEnabled: Boolean!
    $localEnabled: Boolean!
  ) {
    setNotificationPreference(
      scope: $scope
      scopeId: $scopeId
      pushEnabled: $pushEnabled
      emailEnabled: $emailEnabled
      localEnabled: $localEnabled
    ) {
      success
      error
      code
    }
  }
`);

export const DeletePreference = graphql(`
  mutation DeleteNotificationPreference($scope: String!, $scopeId: String) {
    deleteNotificationPreference(scope: $scope, scopeId: $scopeId)
  }
`);

export const SendTest = graphql(`
  mutation SendTestNotification($message: String) {
    sendTestNotification(message: $message)
  }
`);

export const MarkRead = graphql(`
  mutation MarkNotificationsRead($ids: [String!]) {
    markNotificationsRead(ids: $ids) {
      success
      error
      code
      reason
    }
  }
`);

export const ClearHistory = graphql(`
  mutation ClearNotificationHistory {
    clearNotificationHistory
  }
`);
