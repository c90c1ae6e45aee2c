import { graphql, type ResultOf } from '../../api/graphql.ts';

export const SeriesQuery = graphql(`
  query HistorySeries($homeId: String!) {
    historySeries(homeId: $homeId) {
      accessoryId
      accessoryName
      characteristicType
      kind
      unit
      enabled
      minIntervalS
      deadband
      retentionDays
      firstTs
      lastTs
      sampleCount
    }
    historyStorageStats(homeId: $homeId) {
      enabled
      sharedAnalyticsEnabled
      rawRetentionDays
      seriesCount
      sampleRows
      estBytes
      oldestTs
    }
  }
`);

type AnswerOfSeries = ResultOf<typeof SeriesQuery>;
/** The daemon's data about one characteristic. */
export type SeriesInfo = NonNullable<NonNullable<AnswerOfSeries['historySeries']>[number]>;
export type StorageStats = NonNullable<AnswerOfSeries['historyStorageStats']>;

export const HistoryQuery = graphql(`
  query History($homeId: String!, $series: [HistorySeriesInput!]!, $fromTs: Float!, $toTs: Float!, $maxPoints: Int) {
    history(homeId: $homeId, series: $series, fromTs: $fromTs, toTs: $toTs, maxPoints: $maxPoints) {
      accessoryId
      characteristicType
      kind
      unit
      resolution
      prevValue
      prevValueText
      recordedFrom
      stateMs
      summary {
        min
        max
        avg
        latest
      }
      points {
        ts
        avg
        min
        max
        last
        count
      }
      states {
        ts
        value
        valueText
      }
      stateBuckets {
        ts
        dominant
        dominantText
        stateMs
        transitions
      }
    }
  }
`);

export const SetHistoryEnabled = graphql(`
  mutation SetHistoryEnabled($homeId: String!, $enabled: Boolean!) {
    setHomeHistoryEnabled(homeId: $homeId, enabled: $enabled)
  }
`);

export const SetSharedAnalytics = graphql(`
  mutation SetSharedAnalytics($homeId: String!, $enabled: Boolean!) {
    setHomeSharedAnalyticsEnabled(homeId: $homeId, enabled: $enabled)
  }
`);

export const SetRetention = graphql(`
  mutation SetRetention($homeId: String!, $days: Float) {
    setHomeHistoryRetention(homeId: $homeId, rawRetentionDays: $days)
  }
`);

export const SetSeries = graphql(`
  mutation SetSeries(
    $homeId: String!
    $accessoryId: String!
    $characteristicType: String!
    $enabled: Boolean
    $minIntervalS: Float
    $deadband: Float
    $retentionDays: Float
  ) {
    setHistorySeriesConfig(
      homeId: $homeId
      accessoryId: $accessoryId
      characteristicType: $characteristicType
      enabled: $enabled
      minIntervalS: $minIntervalS
      deadband: $deadband
      retentionDays: $retentionDays
    )
  }
`);

export const PurgeHistory = graphql(`
  mutation PurgeHistory($homeId: String!, $accessoryId: String, $characteristicType: String, $beforeTs: Float) {
    purgeHistory(homeId: $homeId, accessoryId: $accessoryId, characteristicType: $characteristicType, beforeTs: $beforeTs)
  }
`);
