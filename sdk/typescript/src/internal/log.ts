/** What the client logs to the console. Never a key, nor what agents send. */

import { ConfigurationError } from '../errors.js';
import { readEnvironment } from './environment.js';

export const LOG_LEVELS = ['off', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export class Log {
  readonly #level: number;

  constructor(level: LogLevel) {
    this.#level = LOG_LEVELS.indexOf(level);
  }

  warn(message: string, ...details: unknown[]): void {
    if (this.#level >= 1) console.warn(`Guarded Runs: ${message}`, ...details);
  }

  /** Outages and their end. */
  info(message: string): void {
    if (this.#level >= 2) console.info(`Guarded Runs: ${message}`);
  }

  /** Each request. */
  debug(message: string): void {
    if (this.#level >= 3) console.debug(`Guarded Runs: ${message}`);
  }
}

/** The option, or `GUARDED_RUNS_LOG`, or `'warn'`. */
export function toLogLevel(given: LogLevel | undefined): LogLevel {
  const text = given ?? readEnvironment('GUARDED_RUNS_LOG') ?? 'warn';
  const level = LOG_LEVELS.find((candidate) => candidate === text);
  if (level !== undefined) return level;
  throw new ConfigurationError(`logLevel must be one of ${LOG_LEVELS.join(', ')}: ${text}`);
}
