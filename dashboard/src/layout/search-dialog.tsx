import { Modal, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useId, useState } from 'react';
import { useLocation } from 'wouter';
import { meQuery, searchQuery } from '../api/queries.ts';
import { Icon } from '../components/icon.tsx';
import { useMounted } from '../components/use-mounted.ts';
import { isAllowed } from '../session/rights.ts';
import { PAGES } from './pages.ts';
import classes from './search-dialog.module.css';
import { type SearchHit, toHits } from './search-results.ts';

const TYPING_PAUSE_MS = 150;
const MAX_LENGTH = 512;

export function SearchDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const isMounted = useMounted();
  return (
    <Modal
      opened={opened && isMounted}
      onClose={onClose}
      title="Search"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <SearchForm onDone={onClose} />
    </Modal>
  );
}

function SearchForm({ onDone }: { onDone: () => void }) {
  const [text, setText] = useState('');
  const [asked] = useDebouncedValue(text.trim(), TYPING_PAUSE_MS);
  const { data: me } = useQuery(meQuery);
  const { data: found, isFetching } = useQuery(searchQuery(asked));
  const pages = PAGES.filter(({ needs }) => needs === undefined || isAllowed(me?.role ?? null, needs));
  const hits = toHits(text, pages, found, Date.now());
  const [chosen, setChosen] = useState(0);
  const current = Math.min(chosen, hits.length - 1);
  const [, navigate] = useLocation();
  const listId = useId();
  const go = (hit: SearchHit | undefined) => {
    if (hit === undefined) return;
    onDone();
    navigate(hit.href);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const moves: Partial<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };
    const move = moves[event.key];
    if (move !== undefined && hits.length > 0) {
      event.preventDefault();
      setChosen((current + move + hits.length) % hits.length);
    }
    // The hits of an older text are not what was meant.
    if (event.key === 'Enter' && asked === text.trim() && !isFetching) {
      event.preventDefault();
      go(hits[current]);
    }
  };
  return (
    <>
      <TextInput
        data-autofocus
        role="combobox"
        aria-label="Search"
        aria-expanded
        aria-controls={listId}
        aria-activedescendant={hits.length === 0 ? undefined : `${listId}-${current}`}
        placeholder="ID of a run or a step, beginning of a user, page"
        leftSection={<Icon name="search" size={16} />}
        maxLength={MAX_LENGTH}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setChosen(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div id={listId} role="listbox" aria-label="Results" className={classes.hits}>
        {hits.map((hit, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are handled by the input, which keeps the focus.
          <div
            key={hit.href}
            id={`${listId}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === current}
            className={classes.hit}
            onClick={() => go(hit)}
            onPointerMove={() => setChosen(index)}
          >
            <Icon name={hit.icon} />
            <span className={classes.label}>{hit.label}</span>
            <span className={classes.detail}>{hit.detail}</span>
          </div>
        ))}
      </div>
      {hits.length === 0 && !isFetching && (
        <p className={classes.none} role="status">
          Nothing found. IDs of runs match from their beginning, users too; a step needs its whole ID.
        </p>
      )}
    </>
  );
}
