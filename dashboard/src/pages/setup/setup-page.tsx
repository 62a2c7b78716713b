import { PageHeader } from '../../components/page-header.tsx';

export function SetupPage() {
  return <PageHeader title="setup" />;
}
