import { TextInput } from '@mantine/core';
import { MAX_NOTE_LENGTH } from './set-blocked.ts';

export function NoteInput({ note, onChange }: { note: string; onChange: (note: string) => void }) {
  return (
    <TextInput
      label="Note"
      description="Optional. Members and the activity log show it with the block."
      maxLength={MAX_NOTE_LENGTH}
      value={note}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
