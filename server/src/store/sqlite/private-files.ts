/**
 * The files of a database are for the user of the service alone: it holds the token secret and what agents report. SQLite
 * gives its log and its shared memory the mode of the database, so that the database has its mode before SQLite opens it.
 */

import {
  chmodSync,
  closeSync,
  fchmodSync,
  mkdirSync,
  openSync,
  realpathSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';

const PRIVATE_FOLDER = 0o700;
const PRIVATE_FILE = 0o600;
/** What SQLite keeps beside a database. */
const COMPANIONS = ['-wal', '-shm', '-journal'];

/**
 * Call it before SQLite opens the file. A missing folder is made, and so is a missing file, with nothing in it: SQLite takes that
 * for a new database. The mode of a folder that exists is left alone; files of an earlier version lose the rights of others.
 */
export function makePrivate(file: string): void {
  if (file === ':memory:') return;
  const folder = dirname(file);
  const isMade = mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER }) !== undefined;
  // The umask may have taken rights of the owner.
  if (isMade) chmodSync(folder, PRIVATE_FOLDER);
  if (createPrivateFile(file)) return;
  const target = pathOf(file);
  for (const path of [target, ...COMPANIONS.map((suffix) => target + suffix)]) takeRightsOfOthers(path);
}

/** Writes a new file that SQLite creates by itself, such as a backup; when that fails, no file is left. */
export function writePrivately(file: string, write: () => void): void {
  const isCreated = createPrivateFile(file);
  try {
    write();
  } catch (error) {
    if (isCreated) rmSync(file, { force: true });
    throw error;
  }
}

/** False where there is a file, or none can be made: SQLite says why, in the words for its own errors. */
function createPrivateFile(file: string): boolean {
  try {
    const descriptor = openSync(file, 'wx', PRIVATE_FILE);
    try {
      fchmodSync(descriptor, PRIVATE_FILE);
    } finally {
      closeSync(descriptor);
    }
    return true;
  } catch {
    return false;
  }
}

/** SQLite resolves symbolic links: the log lies beside the target. */
function pathOf(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}

/** The rights of the owner stay as they are: a file that was made read-only is meant to be. */
function takeRightsOfOthers(path: string): void {
  try {
    const mode = statSync(path).mode & 0o777;
    if ((mode & ~PRIVATE_FILE) !== 0) chmodSync(path, mode & PRIVATE_FILE);
  } catch {
    // There is no such file, or it belongs to another user, who decides about its mode.
  }
}
