/**
 * Which names a model has, by the rules of the price catalogue. Many of those rules match any name that starts with that of a
 * model: `claude-sonnet-5` would match a `claude-sonnet-5-5` of another price. Here, a rule that matches a part of a name counts
 * only if the rest is a date, a version or a region: a name that is not certain has no price. Time is linear in the name.
 */

import type { MatchLogic, Provider } from '@pydantic/genai-prices';

export type NameRule = (name: string) => boolean;

export interface NameRuleOptions {
  /** What may precede the name of a model at its provider. */
  readonly prefix: RegExp;
}

const NO_PREFIX = /^$/;
const PREFIXES: Readonly<Record<string, RegExp>> = {
  aws: /^(?:(?:us|us-gov|eu|apac|au|jp)\.)?(?:(?:amazon|anthropic)\.)?$/,
};

const MONTH = '(?:0[1-9]|1[0-2])';
const DAY = '(?:0[1-9]|[12]\\d|3[01])';
const YEAR = '20\\d{2}';
/** 2024-08-06, 20240806, 09-2025, 06-17, 0613, 2411, 001. */
const DATE = `${YEAR}-${MONTH}-${DAY}|${YEAR}${MONTH}${DAY}|${MONTH}-${YEAR}|${MONTH}-${DAY}|${MONTH}${DAY}|2[3-9]${MONTH}|00\\d`;
/** What may follow the name of a model, for example `-20250929`, `-preview-2024-12-17`, `@latest` or `-v1:0`. */
const RELEASE = new RegExp(`^(?:-preview)?(?:[-@](?:${DATE}|latest))?(?:-v\\d{1,2})?(?::\\d{1,2})?$`);
const SEPARATOR = /[-@:]/;

const COMPACT_DATE = new RegExp(`-(${YEAR})(${MONTH})(${DAY})$`);

export function prefixOf(providerId: string): RegExp {
  return PREFIXES[providerId] ?? NO_PREFIX;
}

/** What providers add to their names: `vertex_ai`, `mistralai`. */
const PROVIDER_SUFFIX = /^(?:[-_.]|ai)*$/;

/**
 * Whether a prefix is a name of a provider. The rules of the catalogue match any text that contains one: `openai-compatible` is not
 * OpenAI, and has other prices.
 */
export function isNameOfProvider(prefix: string, provider: Pick<Provider, 'id' | 'provider_match'>): boolean {
  const names = [provider.id, ...(provider.provider_match ? textsOf(provider.provider_match) : [])];
  let rest = prefix;
  for (const name of names) rest = rest.replaceAll(name, '');
  return PROVIDER_SUFFIX.test(rest);
}

function textsOf(rule: MatchLogic): string[] {
  if ('or' in rule) return rule.or.flatMap(textsOf);
  if ('and' in rule) return rule.and.flatMap(textsOf);
  if ('regex' in rule) return [];
  return [('equals' in rule ? rule.equals : toSearch(rule).text).toLowerCase()];
}

/** The names, in lower case, that a rule states in full. */
export function statedNames(rule: MatchLogic): string[] {
  if ('or' in rule) return rule.or.flatMap(statedNames);
  return 'equals' in rule ? [rule.equals.toLowerCase()] : [];
}

/** Matches the names, in lower case, that a rule does not state in full; null if it states all. */
export function toNameRule(rule: MatchLogic, options: NameRuleOptions): NameRule | null {
  if ('equals' in rule) return null;
  if (!('or' in rule)) return toStrictRule(rule, options);
  const rules = rule.or.flatMap((part) => toNameRule(part, options) ?? []);
  return rules.length === 0 ? null : (name) => rules.some((matches) => matches(name));
}

/** The name with its date as 2024-08-06, where it has it as 20240806. Providers use both for the same model. */
export function withPlainDate(name: string): string {
  return name.replace(COMPACT_DATE, '-$1-$2-$3');
}

function toStrictRule(rule: MatchLogic, options: NameRuleOptions): NameRule {
  if ('or' in rule) {
    const rules = rule.or.map((part) => toStrictRule(part, options));
    return (name) => rules.some((matches) => matches(name));
  }
  if ('and' in rule) {
    // One part has the name of the model, the others exclude some.
    const rules = rule.and.map((part) => toStrictRule(part, options));
    const excluding = rule.and.map(toPlainRule);
    return (name) => rules.some((matches) => matches(name)) && excluding.every((matches) => matches(name));
  }
  if ('regex' in rule) {
    const regex = new RegExp(rule.regex);
    return (name) => {
      const match = regex.exec(name);
      return match !== null && isWhole(name, { at: match.index, text: match[0] }, options);
    };
  }
  if ('equals' in rule) {
    const text = rule.equals.toLowerCase();
    return (name) => name === text;
  }
  const { text, find } = toSearch(rule);
  return (name) => {
    const at = find(name);
    return at >= 0 && isWhole(name, { at, text }, options);
  };
}

function toPlainRule(rule: MatchLogic): NameRule {
  if ('or' in rule) return (name) => rule.or.some((part) => toPlainRule(part)(name));
  if ('and' in rule) return (name) => rule.and.every((part) => toPlainRule(part)(name));
  if ('regex' in rule) {
    const regex = new RegExp(rule.regex);
    return (name) => regex.test(name);
  }
  if ('equals' in rule) return (name) => name === rule.equals.toLowerCase();
  const { find } = toSearch(rule);
  return (name) => find(name) >= 0;
}

type PartialMatch = Extract<
  MatchLogic,
  { starts_with: string } | { ends_with: string } | { contains: string }
>;

/** Where a name has the text of a rule; -1 if it has not. */
function toSearch(rule: PartialMatch): { text: string; find: (name: string) => number } {
  if ('starts_with' in rule) {
    const text = rule.starts_with.toLowerCase();
    return { text, find: (name) => (name.startsWith(text) ? 0 : -1) };
  }
  if ('ends_with' in rule) {
    const text = rule.ends_with.toLowerCase();
    return { text, find: (name) => (name.endsWith(text) ? name.length - text.length : -1) };
  }
  const text = rule.contains.toLowerCase();
  return { text, find: (name) => name.indexOf(text) };
}

/** Whether a name has nothing but a prefix, the text and a release. */
function isWhole(
  name: string,
  { at, text }: { at: number; text: string },
  { prefix }: NameRuleOptions,
): boolean {
  if (text === '' || !prefix.test(name.slice(0, at))) return false;
  const rest = name.slice(at + text.length);
  if (rest === '') return !SEPARATOR.test(text.slice(-1));
  if (SEPARATOR.test(rest.slice(0, 1))) return RELEASE.test(rest);
  // The text ends within a word: "claude-sonnet-4-2025" of "claude-sonnet-4-20250514".
  const start = text.search(/[-@:][^-@:]*$/);
  return start > 0 && RELEASE.test(text.slice(start) + rest);
}
