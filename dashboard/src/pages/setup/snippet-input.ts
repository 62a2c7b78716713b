/** What is filled in into the code. */
export interface SnippetInput {
  readonly url: string;
  readonly apiKey: string;
}

/** Its runs are the test denials. */
export const TEST_DENIAL_USER = 'test-denial';
