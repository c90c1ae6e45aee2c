/** What the dialog that asks for a proof reads and sends. */
import { graphql } from '../api/graphql.ts';

export const ProofWays = graphql(`
  query ProofWays {
    secondFactor {
      isOn
    }
    passkeys {
      host
    }
  }
`);

export const BeginProof = graphql(`
  mutation BeginProof {
    beginProof {
      success
      error
      code
      reason
      options
    }
  }
`);

export const GiveProof = graphql(`
  mutation GiveProof($currentPassword: String, $code: String, $response: JSON) {
    giveProof(currentPassword: $currentPassword, code: $code, response: $response) {
      success
      error
      code
      reason
      clockDifferenceSeconds
    }
  }
`);
