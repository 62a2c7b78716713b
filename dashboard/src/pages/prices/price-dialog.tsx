import { Button, Group, Modal, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { Schemas } from '../../api/api-client.ts';
import { isUnchanged } from '../../api/is-unchanged.ts';
import { pricesQuery } from '../../api/queries.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Notice } from '../../components/notice.tsx';
import { ServerButton } from '../../components/server-button.tsx';
import { formatExactUsd } from '../../format/money.ts';
import { formatPerToken, toPerMillion } from '../../format/token-price.ts';
import { parsePerMillion, type TypedNumber } from '../../format/typed-number.ts';
import { priceConflict } from './price-conflict.ts';
import classes from './price-dialog.module.css';
import { putPrice } from './put-price.ts';

type ModelPrice = Schemas['ModelPrice'];

/** The initial values of the form, per million tokens. */
export interface PriceDraft {
  readonly model: string;
  readonly input: string;
  readonly output: string;
  /** The price when the dialog opened; null for a new price. */
  readonly edited: ModelPrice | null;
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
  const [input, setInput] = useState(draft.input);
  const [output, setOutput] = useState(draft.output);
  const inputPrice = parsePerMillion(input);
  const outputPrice = parsePerMillion(output);
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
  const isUntouched = draft.edited !== null && input === draft.input && output === draft.output;
  const isComplete = name !== '' && !isTaken && !isUntouched;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isComplete || inputPrice.value === null || outputPrice.value === null) return;
    save.mutate({
      model: name,
      input_cost_per_token: inputPrice.value,
      output_cost_per_token: outputPrice.value,
      is_active: true,
    });
  };
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
            value={input}
            onChange={setInput}
            parsed={inputPrice}
            autoFocus={draft.edited !== null}
          />
          <PriceInput label="Output per 1M tokens" value={output} onChange={setOutput} parsed={outputPrice} />
        </SimpleGrid>
        {conflict !== null && (
          <Notice tone="warning" role="alert" title={conflict}>
            Saving replaces it with your values.
          </Notice>
        )}
        {save.isError && <ErrorNotice error={save.error} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <ServerButton
            type="submit"
            loading={save.isPending}
            disabled={!isComplete || inputPrice.value === null || outputPrice.value === null}
          >
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
  readonly parsed: TypedNumber;
  readonly autoFocus?: boolean;
  readonly onChange: (text: string) => void;
}

function PriceInput({ label, value, parsed, autoFocus = false, onChange }: PriceInputProps) {
  return (
    <div>
      <TextInput
        label={label}
        inputMode="decimal"
        autoComplete="off"
        leftSection="$"
        placeholder="2.50"
        required
        withAsterisk={false}
        data-autofocus={autoFocus || undefined}
        value={value}
        error={value === '' ? null : parsed.problem}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <p role="status" className={classes.saves}>
        {parsed.value !== null &&
          `Saves ${formatExactUsd(Number(toPerMillion(parsed.value)))} per million tokens = ${formatPerToken(parsed.value)} per token`}
      </p>
    </div>
  );
}
