import { Drawer } from '@mantine/core';
import { Brand } from '../components/brand.tsx';
import { useMounted } from '../components/use-mounted.ts';
import classes from './app-layout.module.css';
import { Navigation } from './navigation.tsx';

interface MenuDrawerProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onSearch: () => void;
}

/** The navigation of narrow pages. */
export function MenuDrawer({ opened, onClose, onSearch }: MenuDrawerProps) {
  const isMounted = useMounted();
  return (
    <Drawer
      opened={opened && isMounted}
      onClose={onClose}
      size={288}
      title={<Brand />}
      closeButtonProps={{ 'aria-label': 'Close menu' }}
      classNames={{
        body: classes.drawerBody ?? '',
        content: classes.drawerContent ?? '',
        header: classes.drawerHeader ?? '',
      }}
    >
      <Navigation onSearch={onSearch} />
    </Drawer>
  );
}
