import { PageHeader } from '../../components/page-header.tsx';

export function PricesPage() {
  return <PageHeader title="prices" />;
}
