import { Button, Group, Modal, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { Schemas } from '../../api/api-client.ts';
import { isUnchanged } from '../../api/is-unchanged.ts';
import { pricesQuery } from '../../api/queries.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { MissingRight } from '../../components/missing-right.tsx';
import { Notice } from '../../components/notice.tsx';
import { ServerButton } from '../../components/server-button.tsx';
import {
  formatPerMillion,
  formatPerToken,
  type TokenPrices,
  toPerMillion,
} from '../../format/token-price.ts';
import { parseOptionalPerMillion, parsePerMillion } from '../../format/typed-number.ts';
import { priceConflict } from './price-conflict.ts';
import classes from './price-dialog.module.css';
import { putPrice } from './put-price.ts';

type ModelPrice = Schemas['ModelPrice'];

/** The fields as they are typed, per million tokens. */
interface TypedPrices {
  readonly input: string;
  readonly output: string;
  /** Empty: the input price. */
  readonly cacheRead: string;
  readonly cacheWrite: string;
}

/** The initial values of the form. */
export interface PriceDraft extends TypedPrices {
  readonly model: string;
  /** The price when the dialog opened; null for a new price. */
  readonly edited: ModelPrice | null;
}

const EMPTY: TypedPrices = { input: '', output: '', cacheRead: '', cacheWrite: '' };

export function newPriceDraft(model: string): PriceDraft {
  return { model, ...EMPTY, edited: null };
}

/** Edits a price, beginning with its own values or with others. */
export function priceDraft(edited: ModelPrice, values: TokenPrices = edited): PriceDraft {
  return { model: edited.model, ...toTyped(values), edited };
}

function toTyped(prices: TokenPrices): TypedPrices {
  const { cache_read_cost_per_token: read, cache_write_cost_per_token: write } = prices;
  return {
    input: toPerMillion(prices.input_cost_per_token),
    output: toPerMillion(prices.output_cost_per_token),
    cacheRead: read === null ? '' : toPerMillion(read),
    cacheWrite: write === null ? '' : toPerMillion(write),
  };
}

interface PriceDialogProps {
  /** null while the dialog is closed. */
  readonly draft: PriceDraft | null;
  /** The current list. A new price must not replace an existing one. */
  readonly prices: readonly ModelPrice[];
  readonly onClose: () => void;
}

export function PriceDialog({ draft, prices, onClose }: PriceDialogProps) {
  const [last, setLast] = useState(draft);
  if (draft !== null && draft !== last) setLast(draft);
  const shown = draft ?? last;
  return (
    <Modal
      opened={draft !== null}
      onClose={onClose}
      title={shown === null || shown.edited === null ? 'Add a price' : `Price of ${shown.model}`}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {shown !== null && <PriceForm draft={shown} prices={prices} onClose={onClose} />}
    </Modal>
  );
}

function PriceForm({ draft, prices, onClose }: PriceDialogProps & { draft: PriceDraft }) {
  const queryClient = useQueryClient();
  const [model, setModel] = useState(draft.model);
  const [typed, setTyped] = useState<TypedPrices>(draft);
  const input = parsePerMillion(typed.input);
  const output = parsePerMillion(typed.output);
  const cacheRead = parseOptionalPerMillion(typed.cacheRead);
  const cacheWrite = parseOptionalPerMillion(typed.cacheWrite);
  const name = draft.edited === null ? model.trim() : draft.edited.model;
  const present = prices.find((price) => price.model === name) ?? null;
  const isTaken = draft.edited === null && present !== null;
  const save = useMutation({
    mutationFn: async (price: Omit<ModelPrice, 'id'>) => {
      // Someone else may have changed the price since it was loaded.
      const priceNow = (list: readonly ModelPrice[]) => list.find((other) => other.model === price.model);
      return (await isUnchanged(queryClient, pricesQuery, priceNow)) ? putPrice(price) : null;
    },
    onSuccess: async (saved) => {
      if (saved === null) return;
      await queryClient.invalidateQueries({ queryKey: pricesQuery.queryKey });
      onClose();
    },
  });
  const isUntouched = draft.edited !== null && isSameText(typed, toTyped(draft.edited));
  const isComplete =
    name !== '' &&
    !isTaken &&
    !isUntouched &&
    [input, output, cacheRead, cacheWrite].every(({ problem }) => problem === null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isComplete || input.value === null || output.value === null) return;
    save.mutate({
      model: name,
      input_cost_per_token: input.value,
      output_cost_per_token: output.value,
      cache_read_cost_per_token: cacheRead.value,
      cache_write_cost_per_token: cacheWrite.value,
      is_active: true,
    });
  };
  const fieldOf = (field: keyof TypedPrices) => ({
    value: typed[field],
    onChange: (text: string) => setTyped((current) => ({ ...current, [field]: text })),
  });
  const conflict = draft.edited === null || save.isPending ? null : priceConflict(draft.edited, present);

  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        {draft.edited === null && (
          <TextInput
            label="Model"
            description="Exactly as your agents send it"
            maxLength={255}
            required
            withAsterisk={false}
            data-autofocus
            value={model}
            error={isTaken ? 'This model already has a price. Edit that price instead.' : null}
            onChange={(event) => setModel(event.currentTarget.value)}
          />
        )}
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <PriceInput
            label="Input per 1M tokens"
            {...fieldOf('input')}
            parsed={input}
            autoFocus={draft.edited !== null}
          />
          <PriceInput label="Output per 1M tokens" {...fieldOf('output')} parsed={output} />
          <PriceInput
            label="Cache read per 1M tokens"
            {...fieldOf('cacheRead')}
            parsed={cacheRead}
            isOptional
          />
          <PriceInput
            label="Cache write per 1M tokens"
            {...fieldOf('cacheWrite')}
            parsed={cacheWrite}
            isOptional
          />
        </SimpleGrid>
        {conflict !== null && (
          <Notice tone="warning" role="alert" title={conflict}>
            Saving replaces it with your values.
          </Notice>
        )}
        {save.isError && <ErrorNotice error={save.error} />}
        <MissingRight needs="change" />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <ServerButton needs="change" type="submit" loading={save.isPending} disabled={!isComplete}>
            Save price
          </ServerButton>
        </Group>
      </Stack>
    </form>
  );
}

interface PriceInputProps {
  readonly label: string;
  readonly value: string;
  readonly parsed: { readonly value: number | null; readonly problem: string | null };
  /** Whether an empty field is the input price. */
  readonly isOptional?: boolean;
  readonly autoFocus?: boolean;
  readonly onChange: (text: string) => void;
}

function isSameText(left: TypedPrices, right: TypedPrices): boolean {
  return (
    left.input === right.input &&
    left.output === right.output &&
    left.cacheRead === right.cacheRead &&
    left.cacheWrite === right.cacheWrite
  );
}

function PriceInput(props: PriceInputProps) {
  const { label, value, parsed, isOptional = false, autoFocus = false, onChange } = props;
  return (
    <div>
      <TextInput
        label={label}
        description={isOptional ? 'Optional; the input price if empty' : null}
        inputMode="decimal"
        autoComplete="off"
        leftSection="$"
        placeholder={isOptional ? 'as input' : '2.50'}
        required={!isOptional}
        withAsterisk={false}
        data-autofocus={autoFocus || undefined}
        value={value}
        error={value === '' ? null : parsed.problem}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <p role="status" className={classes.saves}>
        {parsed.value !== null &&
          `Saves ${formatPerMillion(parsed.value)} per million tokens = ${formatPerToken(parsed.value)} per token`}
      </p>
    </div>
  );
}
