import { TextLink } from '../../components/text-link.tsx';
import { listHref } from '../../format/list-address.ts';

type Metadata = Readonly<Record<string, unknown>> | null;

/** The entries of the metadata that the gateway adds to a run. */
const GATEWAY_ENTRIES = ['gateway', 'session', 'session_key'];

/** Says that a run came through the gateway, and by which session; nothing for other runs. */
export function GatewayOrigin({ metadata }: { metadata: Metadata }) {
  const { gateway, session, session_key: key } = metadata ?? {};
  if (typeof gateway !== 'string') return null;
  if (typeof session !== 'string' || typeof key !== 'string') return <>Gateway ({gateway}), a single call</>;
  const href = listHref('/runs', { filters: { metadata: `session_key=${key}` }, page: 1 });
  return (
    <>
      Gateway ({gateway}), session <TextLink href={href}>{session}</TextLink>
    </>
  );
}

/** What the agent itself has said about the run. */
export function ownMetadata(metadata: Metadata): [string, unknown][] {
  const entries = Object.entries(metadata ?? {});
  if (typeof metadata?.['gateway'] !== 'string') return entries;
  return entries.filter(([name]) => !GATEWAY_ENTRIES.includes(name));
}
