/** The tokens that a call holds, compared with those of real tokenizers for texts of many kinds. */

import { readFileSync } from 'node:fs';
import { Tiktoken } from 'js-tiktoken/lite';
import cl100k from 'js-tiktoken/ranks/cl100k_base';
import o200k from 'js-tiktoken/ranks/o200k_base';
import { describe, expect, test } from 'vitest';
import { estimateTokens, type HoldBound, type ModelRequest } from '../src/usage/estimate-tokens.js';
import { chatRequest } from '../src/usage/openai-request.js';

const TOKENIZERS = { o200k: new Tiktoken(o200k), cl100k: new Tiktoken(cl100k) };

/** What providers add to each message and to a prompt, as the providers document it. */
const MESSAGE_TOKENS = 3;
const PROMPT_TOKENS = 3;

const fileText = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
const bytes = Buffer.from(
  Array.from({ length: 3_000 }, (_, index) => (index * index * 31 + 7 * index) % 251),
);

/** The estimate ÷ the real number of tokens is within these factors, with both tokenizers. */
const TEXTS: readonly [kind: string, text: string, atLeast: number, atMost: number][] = [
  ['English', fileText('LICENSE').slice(0, 8_000), 1, 2],
  ['Markdown', fileText('README.md').slice(0, 8_000), 1, 2],
  ['code', fileText('sdk/typescript/src/guarded-run.ts'), 1, 2],
  ['JSON', JSON.stringify(JSON.parse(fileText('openapi.json')).paths).slice(0, 8_000), 1, 2],
  [
    'Chinese',
    '服务在每一步之前询问是否允许。预算在所有实例之间共享，数据库是唯一的事实来源。如果代理死亡，它的运行会在租约到期时结束，名额随即释放。',
    0.9,
    2,
  ],
  [
    'Japanese',
    'サービスは各ステップの前に許可を求めます。予算はすべてのインスタンスで共有されます。',
    0.9,
    2,
  ],
  ['Korean', '서비스는 각 단계 전에 허가를 요청합니다. 예산은 모든 인스턴스가 공유합니다.', 0.9, 2],
  ['Russian', 'Сервис спрашивает разрешение перед каждым шагом, а бюджет общий для всех экземпляров.', 1, 3],
  ['Arabic', 'تطلب الخدمة الإذن قبل كل خطوة وتتقاسم جميع المثيلات الميزانية نفسها.', 0.8, 3],
  // Denser than three bytes a token: the estimate is too low, which is what `bound` is for.
  ['numbers', Array.from({ length: 300 }, (_, index) => (index * 7_919) % 1_000_000).join(' '), 0.7, 1],
  ['emoji', '😀👩‍👩‍👧‍👦🏳️‍🌈🇩🇪👍🏽🫠🦩'.repeat(20), 0.4, 1],
  ['base64', bytes.toString('base64'), 0.4, 1],
  ['hexadecimal', bytes.toString('hex'), 0.4, 1],
  ['punctuation', '!@#$%^&*()_+{}|:"<>?~`-=[];,./'.repeat(20), 0.4, 1],
  ['Amharic', 'አገልግሎቱ ከእያንዳንዱ እርምጃ በፊት ፈቃድ ይጠይቃል።', 1 / 3, 1],
  ['rare characters', '\u{2F81A}\u{10330}\u{12000}ꙮ᚛᚜'.repeat(10), 1 / 3, 1],
];

describe.each(Object.entries(TOKENIZERS))('with the tokenizer %s', (_, tokenizer) => {
  const count = (text: string) => tokenizer.encode(text, [], []).length;

  test.each(TEXTS)(
    'the estimate of %s is within its factors, and the bound is not exceeded',
    (_kind, text, atLeast, atMost) => {
      const real = count(text);
      const ratio = promptTokens({ texts: [text] }, 'estimate') / real;
      expect(ratio).toBeGreaterThanOrEqual(atLeast);
      expect(ratio).toBeLessThanOrEqual(atMost);
      expect(promptTokens({ texts: [text] }, 'bound')).toBeGreaterThanOrEqual(real);
    },
  );

  test('the bound of text of any bytes is not exceeded', () => {
    for (let length = 1; length <= 200; length += 1) {
      const text = bytes.subarray(length, length * 3).toString('latin1');
      expect(promptTokens({ texts: [text] }, 'bound')).toBeGreaterThanOrEqual(count(text));
    }
  });

  test('the bound of messages covers what the provider adds to each', () => {
    for (const [, text] of [['nothing', ''], ['a letter', 'a'], ...TEXTS] as const) {
      const messages = ['system', 'user', 'assistant', 'tool'].map((role) => ({ role, content: text }));
      const real = messages.reduce(
        (total, { role, content }) => total + MESSAGE_TOKENS + count(role) + count(content),
        PROMPT_TOKENS,
      );
      expect(promptTokens(chatRequest({ messages }), 'bound')).toBeGreaterThanOrEqual(real);
    }
  });
});

function promptTokens(request: ModelRequest, holdBound: HoldBound): number {
  return estimateTokens(request, { holdBound, defaultMaxTokens: 0 }).promptTokens;
}
