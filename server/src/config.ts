/** The only module that reads the environment. It validates all variables at once and reports every problem. */

import { isIP } from 'node:net';
import { PLAN_CHANGES, PLANS, type Plan, type PlanChanges } from './domain/plan.js';

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export interface Config {
  readonly port: number;
  readonly host: string;
  readonly databaseUrl: string;
  /** Where people open the dashboard, without a slash at the end; for links. */
  readonly publicUrl: string;
  /** The maximum number of connections to PostgreSQL. */
  readonly databasePoolMax: number;
  /** A request that waits for PostgreSQL longer than this is answered with 503. */
  readonly databaseTimeoutMs: number;
  /** null: a secret is generated at the first start and stored in the database. */
  readonly jwtSecret: string | null;
  readonly jwtTtlSeconds: number;
  readonly defaultPlan: Plan;
  readonly planChanges: PlanChanges;
  /** For each client address, including registrations with a taken e-mail. */
  readonly registrationsPerHour: number;
  /** How long entries of the audit log are kept. */
  readonly auditRetentionDays: number;
  readonly bodyLimitBytes: number;
  readonly logLevel: LogLevel;
  readonly corsOrigins: readonly string[];
  /** null: off. */
  readonly gateway: GatewayConfig | null;
  /** Whose `X-Forwarded-For` is trusted: false for none, true for every peer, a number of proxies, or a list of networks. */
  readonly trustProxy: boolean | number | readonly string[];
}

export interface UpstreamConfig {
  /** An origin. */
  readonly url: string;
  /** null: clients send the key of the provider themselves. */
  readonly apiKey: string | null;
}

export interface GatewayConfig {
  readonly openai: UpstreamConfig;
  readonly anthropic: UpstreamConfig;
  readonly bodyLimitBytes: number;
  readonly defaultMaxTokens: number;
  readonly recordsPayloads: boolean;
  readonly onUnavailable: 'deny' | 'allow';
}

export class ConfigError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

const MIN_SECRET_LENGTH = 32;
const MAX_PROXY_HOPS = 32;

/** Names of networks whose addresses are not public. */
const NAMED_NETWORKS = new Map([
  ['loopback', ['127.0.0.0/8', '::1/128']],
  ['linklocal', ['169.254.0.0/16', 'fe80::/10']],
  ['uniquelocal', ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7']],
]);

export function loadConfig(environment: Readonly<Record<string, string | undefined>> = process.env): Config {
  const problems: string[] = [];
  const read = new EnvironmentReader(environment, problems);
  const port = read.integer('PORT', { fallback: 8000, min: 0, max: 65_535 });
  const config: Config = {
    port,
    host: read.text('HOST', '127.0.0.1'),
    publicUrl: read.webUrl('PUBLIC_URL', `http://127.0.0.1:${port}`),
    databaseUrl: read.databaseUrl('DATABASE_URL', 'sqlite:./data/guarded-runs.db'),
    databasePoolMax: read.integer('DATABASE_POOL_MAX', { fallback: 10, min: 2, max: 1_000 }),
    databaseTimeoutMs: read.integer('DATABASE_TIMEOUT_MS', { fallback: 2_000, min: 250, max: 60_000 }),
    jwtSecret: read.secret('JWT_SECRET'),
    jwtTtlSeconds: read.integer('JWT_TTL_SECONDS', { fallback: 86_400, min: 60, max: 31_536_000 }),
    defaultPlan: read.choice('DEFAULT_PLAN', PLANS, 'basic'),
    planChanges: read.choice('PLAN_CHANGES', PLAN_CHANGES, 'self-service'),
    registrationsPerHour: read.integer('REGISTRATIONS_PER_HOUR', { fallback: 20, min: 1, max: 10_000 }),
    auditRetentionDays: read.integer('AUDIT_RETENTION_DAYS', { fallback: 400, min: 1, max: 36_500 }),
    bodyLimitBytes: read.integer('BODY_LIMIT_BYTES', { fallback: 1_048_576, min: 1_024, max: 67_108_864 }),
    logLevel: read.choice('LOG_LEVEL', LOG_LEVELS, 'info'),
    corsOrigins: read.origins('CORS_ORIGINS'),
    gateway: readGateway(read),
    trustProxy: read.trustProxy('TRUST_PROXY'),
  };
  if (problems.length > 0) throw new ConfigError(problems);
  return Object.freeze(config);
}

function readGateway(read: EnvironmentReader): GatewayConfig | null {
  const config: GatewayConfig = {
    openai: {
      url: read.origin('GATEWAY_OPENAI_URL', 'https://api.openai.com'),
      apiKey: read.headerValue('GATEWAY_OPENAI_API_KEY'),
    },
    anthropic: {
      url: read.origin('GATEWAY_ANTHROPIC_URL', 'https://api.anthropic.com'),
      apiKey: read.headerValue('GATEWAY_ANTHROPIC_API_KEY'),
    },
    bodyLimitBytes: read.integer('GATEWAY_BODY_LIMIT_BYTES', {
      fallback: 33_554_432,
      min: 1_024,
      max: 268_435_456,
    }),
    defaultMaxTokens: read.integer('GATEWAY_DEFAULT_MAX_TOKENS', {
      fallback: 4_096,
      min: 1,
      max: 10_000_000,
    }),
    recordsPayloads: read.choice('GATEWAY_RECORD_PAYLOADS', ['true', 'false'], 'false') === 'true',
    onUnavailable: read.choice('GATEWAY_ON_UNAVAILABLE', ['deny', 'allow'], 'deny'),
  };
  return read.choice('GATEWAY', ['on', 'off'], 'on') === 'on' ? config : null;
}

export function isDatabaseUrl(text: string): boolean {
  return /^sqlite:.+/.test(text) || (/^postgres(ql)?:\/\//.test(text) && URL.canParse(text));
}

/** The options for opening the configured store. */
export function storeOptions(config: Config): { databaseUrl: string; poolMax: number; timeoutMs: number } {
  return {
    databaseUrl: config.databaseUrl,
    poolMax: config.databasePoolMax,
    timeoutMs: config.databaseTimeoutMs,
  };
}

/** An IP address, or one with a prefix length. A prefix length of 0 is rejected: use `true` to trust every address. */
function isNetwork(text: string): boolean {
  const [, address = '', prefix = '1'] = /^([^/%]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const maxPrefix = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0;
  return Number(prefix) >= 1 && Number(prefix) <= maxPrefix;
}

class EnvironmentReader {
  readonly #environment: Readonly<Record<string, string | undefined>>;
  readonly #problems: string[];

  constructor(environment: Readonly<Record<string, string | undefined>>, problems: string[]) {
    this.#environment = environment;
    this.#problems = problems;
  }

  text(name: string, fallback: string): string {
    return this.#given(name) ?? fallback;
  }

  integer(name: string, { fallback, min, max }: { fallback: number; min: number; max: number }): number {
    const text = this.#given(name);
    if (text === undefined) return fallback;
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (!(value >= min && value <= max)) {
      return this.#problem(`${name} must be a whole number from ${min} to ${max}, not "${text}"`, fallback);
    }
    return value;
  }

  choice<Choice extends string>(name: string, choices: readonly Choice[], fallback: Choice): Choice {
    const text = this.#given(name);
    if (text === undefined) return fallback;
    const choice = choices.find((candidate) => candidate === text.toLowerCase());
    return choice ?? this.#problem(`${name} must be one of ${choices.join(', ')}, not "${text}"`, fallback);
  }

  databaseUrl(name: string, fallback: string): string {
    const text = this.text(name, fallback);
    if (isDatabaseUrl(text)) return text;
    return this.#problem(
      `${name} must look like sqlite:./data/guarded-runs.db or postgres://user:password@host:5432/database`,
      fallback,
    );
  }

  secret(name: string): string | null {
    const text = this.#given(name);
    if (text === undefined) return null;
    if (text.length < MIN_SECRET_LENGTH) {
      return this.#problem(`${name} must have at least ${MIN_SECRET_LENGTH} characters`, null);
    }
    return text;
  }

  webUrl(name: string, fallback: string): string {
    const text = this.#given(name) ?? fallback;
    const isWeb = /^https?:\/\//.test(text) && URL.canParse(text) && !/[?#]/.test(text);
    if (!isWeb) this.#problems.push(`${name} must be a URL such as https://guard.example.com, not "${text}"`);
    return text.replace(/\/+$/, '');
  }

  origin(name: string, fallback: string): string {
    const text = (this.#given(name) ?? fallback).replace(/\/$/, '');
    const isOrigin =
      /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text.toLowerCase();
    if (isOrigin) return text;
    return this.#problem(`${name} must be an origin such as ${fallback}, not "${text}"`, fallback);
  }

  /** A secret that is sent in a header. */
  headerValue(name: string): string | null {
    const text = this.#given(name);
    if (text === undefined || /^[\x21-\x7e]+$/.test(text)) return text ?? null;
    return this.#problem(`${name} must have only visible ASCII characters`, null);
  }

  origins(name: string): string[] {
    const origins = this.#list(name);
    for (const origin of origins) {
      if (!URL.canParse(origin) || new URL(origin).origin !== origin) {
        this.#problems.push(`${name} must list origins such as https://app.example.com, not "${origin}"`);
      }
    }
    return origins;
  }

  trustProxy(name: string): boolean | number | string[] {
    const text = this.#given(name)?.toLowerCase() ?? 'false';
    if (text === 'true' || text === 'false') return text === 'true';
    if (/^\d+$/.test(text)) return this.integer(name, { fallback: 0, min: 0, max: MAX_PROXY_HOPS });
    const networks = this.#list(name).flatMap((item) => NAMED_NETWORKS.get(item.toLowerCase()) ?? item);
    for (const network of networks) {
      if (isNetwork(network)) continue;
      this.#problems.push(
        `${name} must be true, false, a number of proxies, or a list of addresses and networks such as 10.0.0.0/8, not "${network}"`,
      );
    }
    return networks;
  }

  #list(name: string): string[] {
    return (this.#given(name) ?? '')
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '');
  }

  #given(name: string): string | undefined {
    const text = this.#environment[name]?.trim();
    return text === '' ? undefined : text;
  }

  #problem<Fallback>(problem: string, fallback: Fallback): Fallback {
    this.#problems.push(problem);
    return fallback;
  }
}
