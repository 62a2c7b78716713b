import { useSetupProgress } from '../../api/use-setup-progress.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { Checklist } from './checklist.tsx';
import { CodePanel } from './code-panel.tsx';
import { GatewayPanel } from './gateway-panel.tsx';
import { KEY_PLACEHOLDER } from './snippets.ts';
import { useSetupKey } from './use-setup-key.ts';

export function SetupPage() {
  const setup = useSetupProgress({ live: true });
  const setupKey = useSetupKey();
  const given = { url: window.location.origin, apiKey: setupKey.apiKey ?? KEY_PLACEHOLDER };
  const isComplete = setup.progress?.next === null;
  return (
    <>
      <PageHeader
        title="Set up"
        needs="change"
        description={
          isComplete
            ? 'Your workspace is set up. Come back for the code when you connect another agent.'
            : 'The way to an agent that your guardrails can stop. Steps tick themselves off.'
        }
      />
      <div className="stack">
        <Checklist setup={setup} given={given} />
        <CodePanel setupKey={setupKey} given={given} />
        <GatewayPanel given={given} />
      </div>
    </>
  );
}
