import {
  hasDigit,
  isAssignedSecret,
  isBasicCredential,
  isBearerToken,
  isPlaceholder,
  isRandom,
} from './secret-value.ts'

/** How to detect one format of credential. */
export interface Detector {
  readonly kind: string
  /**
   * Global. Ends with the secret: the one group that matched, or the whole match.
   * Every repetition is bounded, so time stays linear and large texts cannot exhaust the stack of the regular
   * expression engine.
   */
  readonly pattern: RegExp
  /** Length of the secret's published prefix. */
  readonly shown: number
  readonly accept?: (value: string) => boolean
}

/** Detectors that run only if their sign occurs. */
export interface DetectorGroup {
  readonly sign: RegExp
  readonly detectors: readonly Detector[]
}

/** Maximum number of characters of a published prefix in a mask. */
export const MOST_SHOWN = 4

type KeyRow = readonly [
  kind: string,
  prefix: string,
  rest: string,
  shown?: number,
  accept?: (value: string) => boolean,
]

/**
 * Not inside a word, as in `task-`; the letter of an escape such as `\n` in raw JSON does not count as a word. Forms
 * that the specification names, and that no word contains, count anywhere.
 */
const START = '(?:(?<!(?<!\\\\)[A-Za-z0-9])|(?=gh[opsur]_|A[KS]IA))'
const URL_SAFE = '[A-Za-z0-9_-]'

/**
 * Formats known by their prefix; most specific first. Each contains at least `LONG_RUN` characters without a break,
 * with its prefix in that run or at most `PREFIX_REACH` characters before it.
 */
const KEYS: readonly KeyRow[] = [
  ['GitHub token', 'ghs_[0-9]', '[0-9]{0,19}_[\\w-]{1,200}\\.[\\w-]{1,1999}\\.[\\w-]{1,999}'],
  ['GitHub token', 'gh[opsur]_|github_pat_', '[A-Za-z0-9_]{20,}'],
  ['1Password service account token', 'ops_ey', '[A-Za-z0-9+/=_-]{80,}'],
  [
    'GitLab token',
    'gl(?:pat|dt|rt|cbt|ptt|ft|imt|soat|agent|oas)-',
    `${URL_SAFE}{20,}[\\w.]{0,40}`,
  ],
  ['Slack token', 'xox[abeoprs]-|xapp-', '[A-Za-z0-9-]{11,}', 4, hasDigit],
  ['Discord webhook', 'webhooks/', `[0-9]{15,21}/(${URL_SAFE}{30,})`, 0],
  ['Google API key', 'AIza', `${URL_SAFE}{35}`],
  ['Google OAuth client secret', 'GOCSPX-', `${URL_SAFE}{20,}`],
  ['Google OAuth token', 'ya29\\.', `${URL_SAFE}{20,}`],
  ['Stripe key', '[rs]k_(?:live|test)_', '[A-Za-z0-9]{16,}'],
  ['Stripe webhook secret', 'whsec_', '[A-Za-z0-9+/=]{24,}'],
  ['npm token', 'npm_', '[A-Za-z0-9]{36}(?![A-Za-z0-9_])'],
  ['PyPI token', 'pypi-Ag', `${URL_SAFE}{50,}`],
  ['SendGrid key', 'SG\\.', `${URL_SAFE}{16,40}\\.${URL_SAFE}{16,80}`, 3],
  ['Twilio key', 'SK', '[0-9a-f]{32}(?![A-Za-z0-9])', 2],
  ['Anthropic key', 'sk-ant-', `${URL_SAFE}{20,}`, 3, isRandom],
  ['OpenAI key', 'sk-(?:proj|svcacct|admin)-', `${URL_SAFE}{20,}`, 3, isRandom],
  ['API key (sk-)', 'sk-', `${URL_SAFE}{20,}`, 3, isRandom],
  ['Groq key', 'gsk_', '[A-Za-z0-9]{40,}'],
  ['xAI key', 'xai-', '[A-Za-z0-9]{60,}'],
  ['Hugging Face token', 'hf_', '[A-Za-z0-9]{30,}', 3],
  ['Replicate token', 'r8_', '[A-Za-z0-9]{37}', 3],
  ['AWS access key id', 'A[KS]IA', '[A-Z0-9]{16,}'],
  ['DigitalOcean token', 'do[oprt]_v1_', '[0-9a-f]{64}'],
  ['Shopify token', 'shp(?:at|ca|pa|ss)_', '[A-Za-z0-9]{32,64}'],
  ['Square token', 'sq0(?:atp|csp)-', `${URL_SAFE}{22,}`],
  ['Square token', 'EAAA', `${URL_SAFE}{60}(?!${URL_SAFE})`],
  ['Mailgun key', 'key-', '[0-9a-f]{32}(?![A-Za-z0-9])'],
  ['Mailchimp key', '[0-9a-f]{32}-us', '[0-9]{1,2}(?![A-Za-z0-9])', 0],
  ['Telegram bot token', '[0-9]{8,10}:A', `${URL_SAFE}{34}(?!${URL_SAFE})`, 0],
  ['Discord bot token', '[MNO][\\w-]{23,27}\\.', `${URL_SAFE}{6}\\.${URL_SAFE}{27,40}`, 0],
  ['Linear key', 'lin_(?:api|oauth)_', '[A-Za-z0-9_]{32,}'],
  ['Vault token', 'hv[brs]\\.', `${URL_SAFE}{24,}`],
  ['Notion token', 'ntn_', '[A-Za-z0-9]{40,}'],
  ['Grafana token', 'glsa_|glc_', '[A-Za-z0-9+/_]{32,}={0,2}'],
  ['Vercel token', 'vc[aikpr]_', '[A-Za-z0-9]{20,}'],
  ['Databricks token', 'dapi', '[0-9a-fA-F]{32}(?:-[0-9])?(?![A-Za-z0-9])'],
  ['Docker token', 'dckr_(?:pat|oat)_', `${URL_SAFE}{27,}`],
  ['Figma token', 'figd_', `${URL_SAFE}{40,}`],
  ['Cloudflare token', 'cf(?:k|ut|at)_', '[A-Za-z0-9]{40}[0-9a-f]{8}'],
  ['Tailscale key', 'tskey-', '[a-z]{2,20}-[0-9A-Za-z_]{8,40}-[0-9A-Za-z_]{16,60}'],
  ['Atlassian token', 'ATATT3', `${URL_SAFE}{40,}`],
  ['Sentry token', 'sntry[su]_', '[A-Za-z0-9+/=_]{40,}'],
  ['Supabase key', 'sb(?:p|_secret)_', '[A-Za-z0-9_-]{30,}'],
  ['Postman key', 'PMAK-', '[0-9a-f]{24}-[0-9a-f]{34}'],
  ['New Relic key', 'NRAK-', '[A-Z0-9]{27}'],
  ['PlanetScale credential', 'pscale_(?:tkn|pw|oauth)_', '[\\w.=-]{32,}'],
  ['Doppler token', 'dp\\.(?:pt|st|ct|sa|scim|audit)\\.', '[\\w.-]{40,}'],
  ['RubyGems key', 'rubygems_', '[0-9a-f]{48}'],
  ['age identity', 'AGE-SECRET-KEY-1', '[0-9A-Z]{58}'],
  ['JSON Web Token', '(?<![_-])eyJ', '[\\w-]{13,}\\.[\\w-]{8,}\\.[\\w-]{0,}', 3],
]

/** Length of the run of A-Z, a-z, 0-9, `_` and `-` that every key of `KEY_FORMATS` contains. */
export const LONG_RUN = 16

/** How far before such a run a prefix may begin. */
export const PREFIX_REACH = 12

/** The keys as detectors, one group per prefix. */
export const KEY_FORMATS: readonly DetectorGroup[] = KEYS.map(
  ([kind, prefix, rest, shown = MOST_SHOWN, accept]) => {
    const start = `${START}(?:${prefix})`
    const pattern = new RegExp(start + rest.replaceAll(',}', ',9999}'), 'g')
    return {
      sign: new RegExp(start),
      detectors: [{ kind, pattern, shown, ...(accept && { accept }) }],
    }
  },
)

/** Matches where any of `KEY_FORMATS` could begin, to test once instead of fifty times. */
export const ANY_KEY_PREFIX = new RegExp(
  `${START}(?:${KEYS.map(([, prefix]) => prefix).join('|')})`,
)

/** The labels that the handoff specification forbids before `=`, with any value. */
const FORBIDDEN_LABEL = '(?:password|secret|token|api\\\\?_key)'
const LABEL = `(?:${FORBIDDEN_LABEL}|pass(?:wd|phrase)|pwd|api-?key|credentials?|(?:access|account|auth|encryption|private|secret|signing)[_-]?key)`
const SPACE = '[^\\S\\r\\n]{0,99}'
const LABEL_END = `(?:\\\\?["'\`]|\\*\\*)?${SPACE}`
/** Separator between a label and its value in JSON, YAML, TOML, shell and code. */
const ASSIGNED = `(?<=${LABEL}${LABEL_END})(?::=?|=>?)${SPACE}`
const NO_VALUE = '[\\s,;:)\\]}]|$'
/** Quoted, quoted with escapes within JSON, or up to the next white space; without the closing quote. */
const ANY_VALUE = [
  `"(?!${NO_VALUE})((?:[^"\\\\\\n]|\\\\.){0,9999})`,
  `'(?!${NO_VALUE})((?:[^'\\\\\\n]|\\\\.){0,9999})`,
  `\`(?!\\.|${NO_VALUE})([^\`\\n]{0,9999})`,
  `\\\\"([^"\\n]{0,9999})`,
  `((?:[^\\s"'\`]|["'\`](?!\\.|${NO_VALUE})){1,9999})`,
].join('|')
const QUOTED_VALUE = `(?:\\\\"([^"\\s]{8,512})(?=")|"((?:[^"\\\\\\s]|\\\\[^\\s]){8,512})(?=")|\\\\?'([^'\\s]{8,512})(?='))`
/** An unquoted value ends its line, or it is part of a sentence. The back reference keeps the match atomic. */
const LINE_VALUE = `(?=([^\\s"'\`$*&!@<>()[\\]{}|;,][^\\s"'\`<>()[\\]{};,]{7,511}))\\1(?=,?(?:[ \\t]{1,8}#|[ \\t]{0,8}$))`

/** Formats known by their context, grouped by the sign that must occur. */
export const SHAPES: readonly DetectorGroup[] = [
  {
    sign: /PRIVATE KEY/,
    detectors: [
      {
        kind: 'private key',
        pattern:
          /PRIVATE KEY(?:[A-Z ]{0,10}-----(?:(?:[^-]|-(?!----)){0,65536}-----END[A-Z0-9 ]{0,50}(?:-----)?|(?:(?:(?:\s|\\[nr]){1,9}[A-Za-z0-9+/=]{16,999}){1,200}(?:(?:\s|\\[nr]){1,9}[A-Za-z0-9+/=]{1,63})?)?)?)?/g,
        shown: MOST_SHOWN,
      },
    ],
  },
  {
    sign: /:\/\//,
    detectors: [
      {
        kind: 'Slack webhook',
        pattern: /hooks\.slack\.com\/[a-z]{1,20}\/([A-Z][A-Za-z0-9]{0,40}\/[A-Za-z0-9/]{3,200})/gi,
        shown: 0,
      },
      {
        kind: 'GitHub token in a URL',
        pattern: /:\/\/([^\s/:@]{8,256})(?=:x-oauth-basic@)/g,
        shown: 0,
      },
      {
        kind: 'password in a URL',
        pattern: /:\/\/[^\s/?#:@"'<>`]{0,256}:([^\s/"'<>`]{1,256})(?=@(?!sha[0-9]))/g,
        shown: 0,
        accept: value => !isPlaceholder(value),
      },
    ],
  },
  {
    sign: /\bb(?:asic[ \t]|earer["'`*]{0,2}[^\S\r\n])/i,
    detectors: [
      {
        kind: 'basic authentication',
        pattern: /\bbasic[ \t]{1,99}([A-Za-z0-9+/]{6,9999}={0,2})/gi,
        shown: 0,
        accept: isBasicCredential,
      },
      {
        kind: 'bearer token',
        pattern:
          /\bbearer(?:["'`]|\*\*)?[^\S\r\n]{1,99}(?:["'`]|\*\*)?([A-Za-z0-9._~+/-]{0,9999}[A-Za-z0-9_~+/-]={0,2})/gi,
        shown: 0,
        accept: isBearerToken,
      },
      {
        kind: 'bearer token',
        pattern:
          /authorization["'`]?[ \t]{0,9}[:=,][ \t]{0,9}["'`]?bearer[^\S\r\n]{1,99}([A-Za-z0-9._~+/-]{8,9999}={0,2})/gi,
        shown: 0,
        accept: value => !isPlaceholder(value),
      },
    ],
  },
  {
    sign: new RegExp(`(?<=${LABEL}${LABEL_END})(?:[:=]|\\\\=)`, 'i'),
    detectors: [
      {
        kind: 'Azure storage key',
        pattern: /AccountKey=([A-Za-z0-9+/]{20,200}={0,2})/gi,
        shown: 0,
      },
      {
        kind: 'assigned secret',
        pattern: new RegExp(
          `${FORBIDDEN_LABEL}${SPACE}\\\\?=(?:[=>~]{0,2}${SPACE}(?:${ANY_VALUE}))?`,
          'gi',
        ),
        shown: 0,
      },
      {
        kind: 'assigned secret',
        pattern: new RegExp(`${ASSIGNED}(?:${QUOTED_VALUE})`, 'gi'),
        shown: 0,
        accept: isAssignedSecret,
      },
      {
        kind: 'assigned secret',
        pattern: new RegExp(`${ASSIGNED}${LINE_VALUE}`, 'gim'),
        shown: 0,
        accept: isAssignedSecret,
      },
    ],
  },
]
