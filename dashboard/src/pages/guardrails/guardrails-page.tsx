import { PageHeader } from '../../components/page-header.tsx';

export function GuardrailsPage() {
  return <PageHeader title="guardrails" />;
}
