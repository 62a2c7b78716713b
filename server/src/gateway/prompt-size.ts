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
  computer_screenshot: 'image',
  input_audio: 'audio',
  file: 'file',
  input_file: 'file',
  document: 'file',
};

/** Where parts have their data; a list is an empty key. Everywhere else, what looks like data is text. */
const DATA_PATHS: ReadonlySet<string> = new Set([
  'messages..content..image_url.url',
  'messages..content..input_audio.data',
  'messages..content..file.file_data',
  'messages..content..source.data',
  'messages..content..content..source.data',
  'input..content..image_url',
  'input..content..file_data',
  'input..output.image_url',
]);
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
  #dataParts = 0;
  #textBytes = 0;
  #mediaParts = 0;
  #typicalMedia = 0;
  #mostMedia = 0;

  /** A string of the request, as a JsonScanner reports it. */
  add(keys: readonly string[], bytes: number, head: string): void {
    const key = keys.at(-1) ?? '';
    if (
      bytes >= MIN_DATA_BYTES &&
      DATA_KEYS.has(key) &&
      ENCODED.test(head) &&
      DATA_PATHS.has(keys.join('.'))
    ) {
      this.#dataBytes += bytes;
      this.#dataParts += 1;
      return;
    }
    this.#textBytes += bytes;
    const media = key === 'type' ? MEDIA_OF[unescaped(head)] : undefined;
    if (media !== undefined) this.#count(media);
  }

  /** `bodyBytes`: of the whole request. Names and punctuation are not in the estimate, but in the bound. */
  sizeOf(bodyBytes: number): PromptSize {
    // Data of parts whose type is not known.
    while (this.#mediaParts < this.#dataParts) this.#count('file');
    return {
      tokens: Math.ceil(this.#textBytes / BYTES_PER_TOKEN) + this.#typicalMedia,
      mostTokens: bodyBytes - this.#dataBytes + this.#mostMedia,
    };
  }

  #count(media: keyof typeof MEDIA_TOKENS): void {
    this.#mediaParts += 1;
    this.#typicalMedia += MEDIA_TOKENS[media].typical;
    this.#mostMedia += MEDIA_TOKENS[media].most;
  }
}

/** As long as a type can be: the scanner keeps only the first characters. */
function unescaped(head: string): string {
  if (!head.includes('\\')) return head;
  try {
    return String(JSON.parse(`"${head}"`));
  } catch {
    return head;
  }
}
