import { useQuery } from '@tanstack/react-query';
import { gatewayQuery } from '../../api/queries.ts';
import { CodeBlock } from '../../components/code-block.tsx';
import { Panel } from '../../components/panel.tsx';
import classes from './gateway-panel.module.css';
import { type GatewayProvider, gatewayHeader, gatewaySettings, providerName } from './gateway-snippets.ts';
import type { SnippetInput } from './snippet-input.ts';

/** For an agent whose code stays as it is. Nothing if the gateway is off. */
export function GatewayPanel({ given }: { given: SnippetInput }) {
  const { data } = useQuery(gatewayQuery());
  if (data === undefined || data.providers.length === 0) return null;
  return (
    <Panel
      title="Or change only a base URL"
      description="The gateway asks before each call, forwards it to the provider, and reports what it used. It works with every SDK and framework that reads these variables, in any language. Add X-Guarded-User and X-Guarded-Session to name the user and to keep calls in one run."
    >
      <div className={classes.providers}>
        {data.providers.map((provider) => (
          <ProviderSettings key={provider.name} provider={provider} given={given} />
        ))}
      </div>
    </Panel>
  );
}

function ProviderSettings({ provider, given }: { provider: GatewayProvider; given: SnippetInput }) {
  const name = providerName(provider.name);
  return (
    <section className={classes.provider} aria-label={name}>
      <h3>{name}</h3>
      <CodeBlock label={`settings for ${name}`} code={gatewaySettings(provider, given)} />
      {!provider.has_key && (
        <>
          <p>The service has no key of {name}: agents keep theirs, and add a header to their requests.</p>
          <CodeBlock label={`header for ${name}`} code={gatewayHeader(given)} />
        </>
      )}
    </section>
  );
}
