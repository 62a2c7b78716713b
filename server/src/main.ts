#!/usr/bin/env node
/** Runs the command that argv names. Errors that the user can fix print one line; all others are bugs and print a stack. */

import { parseArgs } from 'node:util';
import { audit } from './cli/audit.js';
import { backup } from './cli/backup.js';
import { type Command, CommandError } from './cli/command.js';
import { copy } from './cli/copy.js';
import { demo } from './cli/demo.js';
import { members } from './cli/members.js';
import { migrate } from './cli/migrate.js';
import { resetPassword } from './cli/reset-password.js';
import { serve } from './cli/serve.js';
import { setPlan } from './cli/set-plan.js';
import { setRole } from './cli/set-role.js';
import { verify } from './cli/verify.js';
import { ConfigError, loadConfig } from './config.js';
import { AppError } from './domain/app-error.js';
import { OpenStoreError } from './store/store.js';
import { VERSION } from './version.js';

const COMMANDS: readonly Command[] = [
  serve,
  migrate,
  verify,
  members,
  setRole,
  setPlan,
  resetPassword,
  audit,
  backup,
  copy,
  demo,
];

/** The reader of the output may leave before its end: `guarded-runs audit … | head`. */
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => process.exit(code === 'EPIPE' ? 0 : 1));

process.exitCode = await main(process.argv.slice(2));

async function main(argv: readonly string[]): Promise<number> {
  const [name = serve.name, ...args] = argv;
  if (name === '--help' || name === '-h' || name === 'help') return print(overview());
  if (name === '--version' || name === '-v') return print(`${VERSION}\n`);
  const command = COMMANDS.find((candidate) => candidate.name === name);
  if (command === undefined) return fail(`Unknown command "${name}". Try guarded-runs --help`);
  if (args.includes('--help') || args.includes('-h')) return print(helpOf(command));
  const values = readArguments(command, args);
  if (values === null) return fail(`Usage: ${usageOf(command)}`);
  try {
    return await command.run(values, loadConfig());
  } catch (error) {
    return fail(describe(error));
  }
}

/** Returns the arguments, then the values of the options; null when they do not match the command. */
function readArguments({ parameters, options = [] }: Command, args: readonly string[]): string[] | null {
  try {
    const { positionals, values } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: Object.fromEntries(options.map(({ name }) => [name, { type: 'string' as const }])),
    });
    const given = [...positionals, ...options.flatMap(({ name }) => values[name] ?? [])];
    const isComplete =
      positionals.length === parameters.length && given.length === positionals.length + options.length;
    return isComplete ? given.map(String) : null;
  } catch {
    return null;
  }
}

function describe(error: unknown): string {
  if (error instanceof ConfigError || error instanceof CommandError) return error.message;
  if (error instanceof AppError && isSqliteError(error.cause)) return describe(error.cause);
  if (error instanceof AppError || error instanceof OpenStoreError) return error.message;
  const { code, message, stack, syscall, port, address, path } = error as NodeJS.ErrnoException & {
    port?: number;
    address?: string;
  };
  if (code === 'EADDRINUSE') return `Port ${port} on ${address} is in use. Set PORT to another one.`;
  if (syscall === 'listen') return `Cannot listen on ${address}:${port}: ${code}`;
  if (syscall === 'mkdir') return `Cannot create the data folder ${path}: ${code}`;
  if (isSqliteError(error)) return `Cannot use the database: ${message}`;
  return stack ?? String(error);
}

function isSqliteError(error: unknown): boolean {
  return (error as NodeJS.ErrnoException | undefined)?.code === 'ERR_SQLITE_ERROR';
}

function usageOf(command: Command): string {
  return `guarded-runs ${callOf(command)}`;
}

function callOf({ name, parameters, options = [] }: Command): string {
  return [
    name,
    ...parameters.map((parameter) => `<${parameter}>`),
    ...options.map((option) => `--${option.name} <${option.value}>`),
  ].join(' ');
}

function helpOf(command: Command): string {
  return `Usage: ${usageOf(command)}\n\n${command.help}\n`;
}

function overview(): string {
  const lines = COMMANDS.map((command) => `  ${callOf(command).padEnd(30)} ${command.summary}`);
  return `Guarded Runs ${VERSION}: guardrails, budgets and exact cost accounting for AI agent runs.

Usage: guarded-runs <command>

${lines.join('\n')}

Run guarded-runs <command> --help for details. Configuration is read from the environment: see the README.
`;
}

function print(text: string): number {
  process.stdout.write(text);
  return 0;
}

function fail(message: string): number {
  process.stderr.write(`${message}\n`);
  return 1;
}
