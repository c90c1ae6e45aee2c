/** The user's own ntfy topic. */
import { graphql } from '../../api/graphql.ts';

export const NtfyTopicQuery = graphql(`
  query NtfyTopic {
    ntfyTopic {
      url
      appUrl
      hasButtons
    }
  }
`);

export const CreateNtfyTopic = graphql(`
  mutation CreateNtfyTopic {
    createNtfyTopic {
      success
      error
      code
      reason
    }
  }
`);

export const RemoveNtfyTopic = graphql(`
  mutation RemoveNtfyTopic {
    removeNtfyTopic
  }
`);

export const TestNtfyTopic = graphql(`
  mutation TestNtfyTopic($message: String) {
    testNtfyTopic(message: $message) {
      success
      failure
    }
  }
`);
