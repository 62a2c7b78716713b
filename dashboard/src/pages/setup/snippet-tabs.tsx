import { Tabs } from '@mantine/core';
import { CodeBlock } from '../../components/code-block.tsx';
import type { SnippetInput } from './snippet-input.ts';
import classes from './snippet-tabs.module.css';
import { commandsOf, instructionOf, type Snippet } from './snippets.ts';

interface SnippetTabsProps {
  /** What the tabs have in common, for screen readers. */
  readonly label: string;
  readonly snippets: readonly Snippet[];
  readonly given: SnippetInput;
}

export function SnippetTabs({ label, snippets, given }: SnippetTabsProps) {
  return (
    <Tabs defaultValue={snippets[0]?.name ?? null} keepMounted={false}>
      <Tabs.List mb="sm" aria-label={label}>
        {snippets.map(({ name }) => (
          <Tabs.Tab key={name} value={name}>
            {name}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {snippets.map((snippet) => (
        <Tabs.Panel key={snippet.name} value={snippet.name}>
          <SnippetCode snippet={snippet} given={given} />
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

function SnippetCode({ snippet, given }: { snippet: Snippet; given: SnippetInput }) {
  const commands = commandsOf(snippet);
  return (
    <div className={classes.snippet}>
      <p>{instructionOf(snippet)}</p>
      <CodeBlock label={snippet.label} code={snippet.codeOf(given)} />
      {commands !== null && (
        <>
          <p>Then run it:</p>
          <CodeBlock label={`Commands to run the ${snippet.label}`} code={commands} />
        </>
      )}
    </div>
  );
}
