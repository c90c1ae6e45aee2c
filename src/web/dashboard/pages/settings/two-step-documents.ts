/** The queries and mutations of two-step sign-in. */
import { graphql } from '../../api/graphql.ts';

export const TwoStepQuery = graphql(`
  query TwoStep {
    secondFactor {
      isOn
      createdAt
      recoveryCodesLeft
    }
  }
`);

export const BeginTwoStep = graphql(`
  mutation BeginTwoStep($currentPassword: String!) {
    beginSecondFactor(currentPassword: $currentPassword) {
      success
      error
      code
      reason
      secret
      uri
    }
  }
`);

export const ConfirmTwoStep = graphql(`
  mutation ConfirmTwoStep($code: String!) {
    confirmSecondFactor(code: $code) {
      success
      error
      code
      reason
      clockDifferenceSeconds
      recoveryCodes
    }
  }
`);

export const RenewRecoveryCodes = graphql(`
  mutation RenewRecoveryCodes($code: String!) {
    renewRecoveryCodes(code: $code) {
      success
      error
      code
      reason
      clockDifferenceSeconds
      recoveryCodes
    }
  }
`);

export const TurnOffTwoStep = graphql(`
  mutation TurnOffTwoStep($code: String!) {
    turnOffSecondFactor(code: $code) {
      success
      error
      code
      reason
      clockDifferenceSeconds
    }
  }
`);
