/**
 * How many tokens a prompt has at most, or about. A token has at least one byte of text; in most languages about three. Images,
 * audio and files are billed by their content and not by their bytes, so each counts as a fixed number of tokens.
 */

/** Of one part; the providers' documentation of 2026: an image has up to 48,169 tokens (gpt-4o-mini), a PDF up to 3,000 a page. */
const MEDIA_TOKENS = {
  image: { typical: 1_600, most: 50_000 },
  audio: { typical: 2_000, most: 50_000 },
  file: { typical: 10_000, most: 400_000 },
} as const;

/** By the `type` of a part of the content. */
const MEDIA_OF: Readonly<Record<string, keyof typeof MEDIA_TOKENS>> = {
  image_url: 'image',
  input_image: 'image',
  image: 'image',
  input_audio: 'audio',
  file: 'file',
  input_file: 'file',
  document: 'file',
};

/** The keys under which parts have their data. */
const DATA_KEYS: ReadonlySet<string> = new Set(['data', 'url', 'image_url', 'file_data']);
/** Shorter data counts as text: it makes no difference. */
const MIN_DATA_BYTES = 256;
/** The start of a data URL or of base64. */
const ENCODED = /^(?:data:[a-z]|[A-Za-z0-9+/]{16})/;

const BYTES_PER_TOKEN = 3;

export interface PromptSize {
  /** An estimate. */
  readonly tokens: number;
  /** A bound. */
  readonly mostTokens: number;
}

export class PromptMeter {
  #dataBytes = 0;
  #textBytes = 0;
  #typicalMedia = 0;
  #mostMedia = 0;

  /** A string of the request, as a JsonScanner reports it. */
  add(key: string, bytes: number, head: string): void {
    if (bytes >= MIN_DATA_BYTES && DATA_KEYS.has(key) && ENCODED.test(head)) {
      this.#dataBytes += bytes;
      return;
    }
    this.#textBytes += bytes;
    const media = key === 'type' ? MEDIA_OF[head] : undefined;
    if (media === undefined) return;
    this.#typicalMedia += MEDIA_TOKENS[media].typical;
    this.#mostMedia += MEDIA_TOKENS[media].most;
  }

  /** `bodyBytes`: of the whole request. Names and punctuation are not in the estimate, but in the bound. */
  sizeOf(bodyBytes: number): PromptSize {
    return {
      tokens: Math.ceil(this.#textBytes / BYTES_PER_TOKEN) + this.#typicalMedia,
      mostTokens: bodyBytes - this.#dataBytes + this.#mostMedia,
    };
  }
}
