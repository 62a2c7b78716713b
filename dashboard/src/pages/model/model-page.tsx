import { useQuery } from '@tanstack/react-query';
import type { Schemas } from '../../api/api-client.ts';
import { modelQuery, visibleData } from '../../api/queries.ts';
import { CopyIcon } from '../../components/copy-button.tsx';
import { DayChart } from '../../components/day-chart.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { PageSkeleton } from '../../components/page-skeleton.tsx';
import { Panel } from '../../components/panel.tsx';
import { RangeLinks } from '../../components/range-links.tsx';
import { SpendChart } from '../../components/spend-chart.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { useSearchParameters } from '../../components/use-search-parameters.ts';
import { formatTokens } from '../../format/count.ts';
import { formatUsd } from '../../format/money.ts';
import { MODEL_PATH } from '../../format/page-address.ts';
import { rangeIn } from '../../format/range.ts';
import { formatDuration } from '../../format/time.ts';
import { NotFoundPage } from '../not-found/not-found-page.tsx';
import { formatPercent, TOKEN_PARTS, toDurationBars, toErrorBars, toTokenBars } from './model-bars.ts';
import { ModelFacts } from './model-facts.tsx';
import classes from './model-page.module.css';

type ModelDetail = Schemas['ModelDetail'];

export function ModelPage() {
  const [parameters] = useSearchParameters();
  const model = parameters.get('model') ?? '';
  return model === '' ? <NotFoundPage /> : <Model key={model} model={model} />;
}

function Model({ model }: { model: string }) {
  const [parameters] = useSearchParameters();
  const range = rangeIn(parameters);
  const query = useQuery(modelQuery(model, range));
  const detail = visibleData(query);

  if (detail === undefined) {
    if (query.error === null) return <PageSkeleton />;
    return (
      <>
        <PageHeader title={model} />
        <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />
      </>
    );
  }
  // While another range loads, the figures are those of the previous one.
  const period = `the last ${detail.by_day.length} days`;
  return (
    <>
      <PageHeader
        title={model}
        description={
          <>
            <TextLink href="/models">All models</TextLink> · <TextLink href="/prices">Prices</TextLink>{' '}
            <CopyIcon text={model} label="name of the model" />
          </>
        }
        actions={<RangeLinks path={MODEL_PATH} range={range} />}
      />
      <div className="stack">
        {query.error !== null && <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />}
        <ModelFacts model={detail} />
        <Panel title="Spend per day" description={`${formatUsd(detail.total_usd)} in ${period} (UTC)`}>
          <Spend model={detail} />
        </Panel>
        <Panel
          title="Tokens per day"
          description="Input is without what the cache had; output is without reasoning"
        >
          <Tokens model={detail} />
        </Panel>
        <div className={classes.columns}>
          <Panel title="Error rate per day" description="Failed calls of all that were reported">
            <Errors model={detail} />
          </Panel>
          <Panel title="Duration per day" description="Of completed calls, within 12.5 %">
            <Durations model={detail} />
          </Panel>
        </div>
      </div>
    </>
  );
}

function Spend({ model }: { model: ModelDetail }) {
  if (model.total_usd === 0) {
    return (
      <EmptyState icon="prices" title="No spend in these days">
        {model.unpriced_tokens > 0
          ? 'The tokens of this model had no price when they were reported.'
          : 'Costs appear here when steps report tokens of this model.'}
      </EmptyState>
    );
  }
  return (
    <SpendChart
      budgetUsd={null}
      series={{
        models: ['Spend'],
        rows: model.by_day.map(({ day, total_usd }) => ({
          day,
          totalUsd: total_usd,
          usdByModel: [total_usd],
        })),
        totalUsd: model.total_usd,
      }}
    />
  );
}

function Tokens({ model }: { model: ModelDetail }) {
  if (model.prompt_tokens + model.completion_tokens === 0) {
    return (
      <EmptyState icon="models" title="No tokens in these days">
        Tokens appear here when steps report them.
      </EmptyState>
    );
  }
  return (
    <DayChart
      label="Tokens per day"
      dayLabel="Day of the tokens"
      parts={TOKEN_PARTS}
      bars={toTokenBars(model.by_day)}
      formatAxis={formatTokens}
    />
  );
}

function Errors({ model }: { model: ModelDetail }) {
  if (model.error_rate === null) {
    return (
      <EmptyState icon="models" title="No calls in these days">
        Calls are counted when their steps are reported.
      </EmptyState>
    );
  }
  if (model.error_rate === 0) {
    return (
      <EmptyState icon="models" title="No call failed in these days">
        Failed calls appear here as a share of all calls.
      </EmptyState>
    );
  }
  return (
    <DayChart
      label="Error rate per day"
      dayLabel="Day of the error rate"
      parts={[{ name: 'Failed', color: 'var(--danger-fill)' }]}
      bars={toErrorBars(model.by_day)}
      formatAxis={formatPercent}
      totalName="Calls"
    />
  );
}

function Durations({ model }: { model: ModelDetail }) {
  if (model.p50_duration_ms === null) {
    return (
      <EmptyState icon="models" title="No durations in these days">
        Reports of completed steps may have a duration.
      </EmptyState>
    );
  }
  return (
    <DayChart
      label="Duration per day"
      dayLabel="Day of the duration"
      parts={[
        { name: 'p50', color: 'var(--chart-2)' },
        { name: 'p95', color: 'var(--chart-6)' },
      ]}
      bars={toDurationBars(model.by_day)}
      formatAxis={formatDuration}
      totalName="Completed calls"
    />
  );
}
