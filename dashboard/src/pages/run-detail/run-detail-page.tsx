import { PageHeader } from '../../components/page-header.tsx';

export function RunDetailPage() {
  return <PageHeader title="run-detail" />;
}
