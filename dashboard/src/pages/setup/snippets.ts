/** Code to copy, with the URL of this service and an API key. Pure. */

import { curlDenial, curlRun } from './curl-snippets.ts';
import { pythonDenial, pythonRun } from './python-snippets.ts';
import {
  aiSdkRun,
  anthropicRun,
  langChainRun,
  openAIAgentsRun,
  openAIRun,
  sdkDenial,
  sdkRun,
} from './sdk-snippets.ts';
import type { SnippetInput } from './snippet-input.ts';

/** Used if no key is available. It is ASCII, because it is sent in a header. */
export const KEY_PLACEHOLDER = '<API key: create one under Set up or Settings>';

export interface Snippet {
  /** The language or framework. */
  readonly name: string;
  /** Names the code for screen readers and for its copy button. */
  readonly label: string;
  readonly language: 'shell' | 'python' | 'node';
  /** What a program for Node.js imports besides the SDK. */
  readonly packages: readonly string[];
  /** The variable with the key of the model provider. */
  readonly providerKey: 'OPENAI_API_KEY' | 'ANTHROPIC_API_KEY' | null;
  readonly codeOf: (given: SnippetInput) => string;
}

const SHELL = { name: 'curl', language: 'shell', packages: [], providerKey: null } as const;
const SDK = { name: 'TypeScript', language: 'node', packages: [], providerKey: null } as const;
const PYTHON = { name: 'Python', language: 'python', packages: [], providerKey: null } as const;

/**
 * Each has the whole life of a run: its start with a lease, a step that is asked for and reported, and its end. It can be run any
 * number of times: it ends its run, and the lease ends a run that was interrupted.
 */
export const RUN_SNIPPETS: readonly Snippet[] = [
  { ...SHELL, label: 'curl command', codeOf: curlRun },
  { ...SDK, label: 'TypeScript code', codeOf: sdkRun },
  { ...PYTHON, label: 'Python code', codeOf: pythonRun },
  framework('OpenAI', { packages: ['openai'], codeOf: openAIRun }),
  framework('Anthropic', {
    packages: ['@anthropic-ai/sdk'],
    providerKey: 'ANTHROPIC_API_KEY',
    codeOf: anthropicRun,
  }),
  framework('AI SDK', { packages: ['ai', '@ai-sdk/openai'], codeOf: aiSdkRun }),
  framework('LangChain', {
    packages: ['langchain', '@langchain/core', '@langchain/openai'],
    codeOf: langChainRun,
  }),
  framework('OpenAI Agents', { packages: ['@openai/agents', 'zod'], codeOf: openAIAgentsRun }),
];

/**
 * A run that limits itself to one step and asks for two. It changes no setting of the workspace, so there is nothing to undo, and
 * no other run is denied.
 */
export const DENIAL_SNIPPETS: readonly Snippet[] = [
  { ...SHELL, label: 'curl command of the test denial', codeOf: curlDenial },
  { ...SDK, label: 'TypeScript code of the test denial', codeOf: sdkDenial },
  { ...PYTHON, label: 'Python code of the test denial', codeOf: pythonDenial },
];

function framework(
  name: string,
  own: Pick<Snippet, 'packages' | 'codeOf'> & Partial<Pick<Snippet, 'providerKey'>>,
): Snippet {
  return { name, label: `${name} code`, language: 'node', providerKey: 'OPENAI_API_KEY', ...own };
}

/** The commands that run the code, one per line; null if it is a command itself. */
export function commandsOf({ language, packages }: Snippet): string | null {
  if (language === 'shell') return null;
  if (language === 'python') return 'python3 agent.py';
  return `npm install ${['@guarded-runs/sdk', ...packages].join(' ')}\nnode agent.mjs`;
}

/** What to do with the code. */
export function instructionOf({ language, providerKey }: Snippet): string {
  if (language === 'shell') return 'Paste it into a terminal.';
  if (language === 'python') return 'It needs Python 3 and no packages. Save it as agent.py.';
  const provider = providerKey === null ? '' : ` Set ${providerKey} to your own key.`;
  return `It needs Node.js 20 or later. Save it as agent.mjs.${provider}`;
}
