import { Button, Group, Modal, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { pricesQuery } from '../../api/queries.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { fromPerMillion } from '../../format/token-price.ts';
import { putPrice } from './put-price.ts';

/** A price being typed, per million tokens. */
export interface PriceDraft {
  readonly model: string;
  readonly input: string;
  readonly output: string;
  readonly isNew: boolean;
}

interface PriceDialogProps {
  /** null: closed. */
  readonly draft: PriceDraft | null;
  /** Models that have a price: a new one must not replace it by accident. */
  readonly taken: ReadonlySet<string>;
  readonly onClose: () => void;
}

export function PriceDialog({ draft, taken, onClose }: PriceDialogProps) {
  const [last, setLast] = useState(draft);
  if (draft !== null && draft !== last) setLast(draft);
  const shown = draft ?? last;
  return (
    <Modal
      opened={draft !== null}
      onClose={onClose}
      title={shown?.isNew === false ? `Price of ${shown.model}` : 'Add a price'}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {shown !== null && <PriceForm draft={shown} taken={taken} onClose={onClose} />}
    </Modal>
  );
}

function PriceForm({ draft, taken, onClose }: PriceDialogProps & { draft: PriceDraft }) {
  const queryClient = useQueryClient();
  const [model, setModel] = useState(draft.model);
  const [input, setInput] = useState(draft.input);
  const [output, setOutput] = useState(draft.output);
  const inputPerToken = fromPerMillion(input);
  const outputPerToken = fromPerMillion(output);
  const isTaken = draft.isNew && taken.has(model.trim());
  const save = useMutation({
    mutationFn: putPrice,
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: pricesQuery.queryKey });
      onClose();
    },
  });
  const complete = model.trim() !== '' && !isTaken && inputPerToken !== null && outputPerToken !== null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!complete) return;
    save.mutate({
      model: draft.isNew ? model.trim() : draft.model,
      input_cost_per_token: inputPerToken,
      output_cost_per_token: outputPerToken,
      is_active: true,
    });
  };

  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        {draft.isNew && (
          <TextInput
            label="Model"
            description="Exactly as your agents send it"
            maxLength={255}
            required
            withAsterisk={false}
            data-autofocus
            value={model}
            error={isTaken ? 'This model has a price already: edit that one' : null}
            onChange={(event) => setModel(event.currentTarget.value)}
          />
        )}
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <PriceInput
            label="Input per 1M tokens"
            value={input}
            onChange={setInput}
            valid={inputPerToken !== null}
          />
          <PriceInput
            label="Output per 1M tokens"
            value={output}
            onChange={setOutput}
            valid={outputPerToken !== null}
          />
        </SimpleGrid>
        {save.isError && <ErrorNotice error={save.error} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={save.isPending} disabled={!complete}>
            Save price
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface PriceInputProps {
  readonly label: string;
  readonly value: string;
  readonly valid: boolean;
  readonly onChange: (text: string) => void;
}

function PriceInput({ label, value, valid, onChange }: PriceInputProps) {
  return (
    <TextInput
      label={label}
      inputMode="decimal"
      leftSection="$"
      placeholder="2.50"
      required
      withAsterisk={false}
      value={value}
      error={value !== '' && !valid ? 'Such as 2.50, at most 12 decimal places' : null}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
