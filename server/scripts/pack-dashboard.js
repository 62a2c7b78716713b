/** Copies the dashboard's build into the package before it is packed; --remove deletes it again. */

import { cpSync, existsSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const build = fileURLToPath(new URL('../../dashboard/dist/', import.meta.url));
const packed = fileURLToPath(new URL('../dashboard/', import.meta.url));

rmSync(packed, { recursive: true, force: true });
if (!process.argv.includes('--remove')) {
  if (!existsSync(build)) throw new Error('Run npm run build first: the dashboard is not built');
  cpSync(build, packed, { recursive: true });
}
