import { lintSource } from '@secretlint/core'
import { secretLintProfiler } from '@secretlint/profiler'
import { creator } from '@secretlint/secretlint-rule-preset-recommend'
import { beforeAll, describe, expect, test } from 'vitest'
import { KEY_FORMATS, SHAPES } from './secret-formats.ts'
import { findSecrets, maskSecrets } from './secrets.ts'

const DIGITS = '0123456789'
const HEX = `${DIGITS}abcdef`
const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const LETTERS = UPPER + UPPER.toLowerCase()

/** The same characters on every run. Samples are put together here, so that no scanner of a code host reports this file. */
function random(length: number, alphabet = DIGITS + LETTERS): string {
  let state = length * 7919 + alphabet.length
  return Array.from({ length }, () => {
    state = (state * 1_103_515 + 12_345) % 2_147_483_647
    return alphabet[state % alphabet.length]
  }).join('')
}

const encode = (text: string) => Buffer.from(text).toString('base64')
const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const JWT = `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ sub: random(12) })}.${random(43)}`

function pem(label: string, body: string): string {
  return [`${label}-----`, ...(body.match(/.{1,64}/g) ?? []), `-----END ${label}-----`].join('\n')
}

type Sample = readonly [kind: string, before: string, secret: string, after: string, mask: string]

const LABELLED: readonly Sample[] = [
  ['assigned secret', 'password=', 'hunter2', '', '…'],
  ['assigned secret', 'PassWord  =  "', 'correct horse battery', '" ', '…'],
  ['assigned secret', "db_password='", 'a b', "'", '…'],
  ['assigned secret', 'client_secret=', 'x', ' next', '…'],
  ['assigned secret', 'https://h/?token=', 'abc&user=bob', '', '…'],
  ['assigned secret', '`api_key=', 'zz9', '`', '…'],
  ['assigned secret', 'api\\_key=', 'zz9', '', '…'],
  ['assigned secret', 'token = `', 'a b', '`', '…'],
  ['assigned secret', '{"run":"token=\\"', 'a b c\\', '""}', '…'],
  ['assigned secret', '{"a":"secret=', 'hunter2', '","b":"c"}', '…'],
  ['assigned secret', '//registry/:_authToken=', random(30), '', '…'],
  ['assigned secret', 'secret=', '<insert>', '', '…'],
  ['assigned secret', 'token\u00a0=', '***', '', '…'],
  ['assigned secret', 'if (token == ', 'null)', '', '…'],
  ['assigned secret', '', 'password=', '\nnext', 'pass…'],
  ['assigned secret', '', 'token=', '', 'toke…'],
  ['assigned secret', 'no `', 'api_key =', '` at all', 'api_…'],
  ['assigned secret', '"password": "', 'hunter2hunter2', '"', '…'],
  ['assigned secret', "'password' => '", 'hunter2hunter2', "',", '…'],
  ['assigned secret', '{\\"apiKey\\": \\"', `${random(24)}\\`, '"}', '…'],
  ['assigned secret', 'password: ', 'hunter2hunter2', ' # for tests', '…'],
  ['assigned secret', 'password: ', 'hunter2hunter2', '\r\nuser: x', '…'],
  ['assigned secret', '- **Token**: ', random(24), '', '…'],
  ['assigned secret', 'aws_secret_access_key: ', random(40), '', '…'],
  ['assigned secret', 'passphrase: ', 'correcthorsebattery', '', '…'],
  ['Azure storage key', 'AccountKey=', `${random(86)}==`, ';EndpointSuffix=x', '…'],
  ['bearer token', 'Authorization: Bearer ', 'abc123', '', '…'],
  ['bearer token', 'bearer ', random(32), '.', '…'],
  ['bearer token', 'Bearer ', random(24, LETTERS), '', '…'],
  ['bearer token', '"authorization": "Bearer ', 'mysecretvalue', '"', '…'],
  ['basic authentication', 'Authorization: Basic ', encode('user:hunter2'), '', '…'],
  ['password in a URL', 'postgres://admin:', 'p@ss', '@db:5432/x', '…'],
  ['password in a URL', 'https://someone:', random(20), '@example.org/repo', '…'],
  ['password in a URL', 'mongodb+srv://app:', random(16), '@cluster.example.org/db', '…'],
  ['password in a URL', 'mysql://app:', random(16), '@db.example.org/db', '…'],
  ['password in a URL', 'redis://:', 'abc123', '@cache', '…'],
  ['GitHub token in a URL', 'https://', random(40), ':x-oauth-basic@github.com/a/b', '…'],
  ['private key', 'the ', 'PRIVATE KEY', ' is elsewhere', 'PRIV…'],
  ['private key', '-----BEGIN RSA ', pem('PRIVATE KEY', `MIIE${random(800)}`), '\n', 'PRIV…'],
  ['private key', '-----BEGIN PGP ', pem('PRIVATE KEY BLOCK', random(800)), '\n', 'PRIV…'],
  [
    'private key',
    '"private_key": "-----BEGIN ',
    pem('PRIVATE KEY', `MIIE${random(600)}`).replaceAll('\n', '\\n'),
    '"',
    'PRIV…',
  ],
  [
    'private key',
    '-----BEGIN ',
    `PRIVATE KEY-----\n${random(64)}\n${random(20)}`,
    '\n\n## The next heading',
    'PRIV…',
  ],
]

const WEBHOOK = `T${random(8)}/B${random(8)}/${random(24)}`
const OPENAI = `${random(74)}${['T3', 'Blbk', 'FJ'].join('')}${random(74)}`

/** Kind, published prefix, the rest; the mask is the first four characters of the prefix, or the fourth column. */
const KEYS: readonly (readonly [kind: string, prefix: string, rest: string, mask?: string])[] = [
  ...['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'].map(p => ['GitHub token', p, random(36)] as const),
  ['GitHub token', 'github_pat_', random(82)],
  ['GitHub token', 'ghs_', `12345_${JWT.replaceAll('eyJ', 'e30')}`],
  ['1Password service account token', 'ops_', `ey${encode(JSON.stringify({ a: random(99) }))}`],
  ['GitLab token', 'glpat-', random(20)],
  ['Slack token', 'xoxb-', `${random(12, DIGITS)}-${random(12, DIGITS)}-${random(24)}`],
  ['Slack token', 'xapp-', `1-${random(11)}-${random(12, DIGITS)}-${random(24)}`],
  ['Google API key', 'AIza', random(35)],
  ['Google OAuth client secret', 'GOCSPX-', random(28)],
  ['Google OAuth token', 'ya29.', random(60)],
  ['Stripe key', 'sk_live_', random(24)],
  ['Stripe key', 'rk_test_', random(24)],
  ['Stripe webhook secret', 'whsec_', random(32)],
  ['npm token', 'npm_', random(36)],
  ['PyPI token', 'pypi-', `AgEIcHlwaS5vcmc${random(100)}`],
  ['SendGrid key', 'SG.', `${random(22)}.${random(43)}`],
  ['Twilio key', 'SK', random(32, HEX)],
  ['Anthropic key', 'sk-', `ant-api03-${random(93)}AA`, 'sk-…'],
  ['OpenAI key', 'sk-', `proj-${OPENAI}`, 'sk-…'],
  ['API key (sk-)', 'sk-', random(20)],
  ['Groq key', 'gsk_', random(52)],
  ['xAI key', 'xai-', random(80)],
  ['Hugging Face token', 'hf_', random(34, LETTERS)],
  ['Replicate token', 'r8_', random(37)],
  ['AWS access key id', 'AKIA', random(16, UPPER)],
  ['AWS access key id', 'ASIA', random(16, UPPER + DIGITS)],
  ['DigitalOcean token', 'dop_v1_', random(64, HEX)],
  ['Shopify token', 'shpat_', random(32, HEX)],
  ['Square token', 'sq0atp-', random(22)],
  ['Square token', 'EAAA', random(60)],
  ['Mailgun key', 'key-', random(32, HEX)],
  ['Mailchimp key', '', `${random(32, HEX)}-us12`],
  ['Telegram bot token', '', `${random(9, '123456789')}:AA${random(33)}`],
  ['Discord bot token', '', `M${random(23)}.${random(6)}.${random(38)}`],
  ['Discord webhook', '', random(68)],
  ['Linear key', 'lin_api_', random(40)],
  ['Vault token', 'hvs.', random(95)],
  ['Notion token', 'ntn_', random(11, DIGITS) + random(35)],
  ['Grafana token', 'glsa_', `${random(32)}_${random(8, HEX)}`],
  ['Vercel token', 'vcp_', random(24)],
  ['Databricks token', 'dapi', random(32, HEX)],
  ['Docker token', 'dckr_pat_', random(27)],
  ['Figma token', 'figd_', random(40)],
  ['Cloudflare token', 'cfut_', random(40) + random(8, HEX)],
  ['Tailscale key', 'tskey-', `auth-${random(12)}-${random(32)}`],
  ['Atlassian token', 'ATATT3', random(180)],
  ['Sentry token', 'sntrys_', random(64)],
  ['Supabase key', 'sbp_', random(40, HEX)],
  ['Postman key', 'PMAK-', `${random(24, HEX)}-${random(34, HEX)}`],
  ['New Relic key', 'NRAK-', random(27, UPPER)],
  ['PlanetScale credential', 'pscale_pw_', random(43)],
  ['Doppler token', 'dp.pt.', random(43)],
  ['RubyGems key', 'rubygems_', random(48, HEX)],
  ['age identity', 'AGE-SECRET-KEY-1', random(58, UPPER)],
  ['JSON Web Token', 'eyJ', JWT.slice(3)],
]

const PLANTED: readonly Sample[] = [
  ...LABELLED,
  ['Slack webhook', 'see https://hooks.slack.com/services/', WEBHOOK, ' there', '…'],
  ...KEYS.map(([kind, prefix, rest, mask = `${prefix.slice(0, 4)}…`]): Sample => {
    const before = kind === 'Discord webhook' ? 'com/api/webhooks/123456789012345678/' : 'it is '
    return [kind, before, prefix + rest, ' there', mask]
  }),
]

describe('planted secrets', () => {
  test.each(PLANTED)('finds %s after %j', (kind, before, secret, after, mask) => {
    const span = { start: before.length, end: before.length + secret.length }
    expect(findSecrets(before + secret + after)).toEqual([{ kind, span, mask }])
  })

  test.each(PLANTED)('hides %s after %j', (_kind, before, secret, after, mask) => {
    const masked = maskSecrets(before + secret + after)
    expect(masked).toBe(before + mask + after)
    expect(maskSecrets(masked)).toBe(masked)
    const pieces = Array.from(secret, (_, i) => secret.slice(i, i + 5)).filter(p => p.length === 5)
    expect(pieces.filter(piece => mask.includes(piece))).toEqual([])
  })

  test('every format is planted at least once', () => {
    const kinds = [...KEY_FORMATS, ...SHAPES].flatMap(group => group.detectors.map(d => d.kind))
    const planted = new Set(PLANTED.map(([kind]) => kind))
    expect(kinds.filter(kind => !planted.has(kind))).toEqual([])
  })

  test('keys are found inside JSON strings, after an escaped line break', () => {
    for (const [kind, prefix, rest] of KEYS.filter(([, p]) => p !== '')) {
      const raw = JSON.stringify({ log: `first line\n${prefix}${rest}` })
      expect(findSecrets(raw).map(found => found.kind)).toEqual([kind])
    }
  })
})

describe('against secretlint', () => {
  beforeAll(() => secretLintProfiler.setEnabled(false))

  const config = {
    rules: [{ id: '@secretlint/secretlint-rule-preset-recommend', rule: creator, options: {} }],
  }
  const lint = async (content: string, filePath: string) =>
    (
      await lintSource({
        source: { content, filePath, ext: '.md', contentType: 'text' },
        options: { config },
      })
    ).messages

  test('whatever it finds among the planted secrets, we find as well', async () => {
    const rules = new Set<string>()
    for (const [kind, before, secret, after] of PLANTED) {
      const text = before + secret + after
      for (const file of ['notes.md', '.npmrc', 'package.json']) {
        for (const { range, ruleId } of await lint(text, file)) {
          rules.add(ruleId)
          const ours = findSecrets(text).filter(
            ({ span }) => span.start < range[1] && span.end > range[0],
          )
          expect(ours, `${ruleId} on ${kind}`).not.toEqual([])
        }
      }
    }
    expect(rules.size).toBeGreaterThanOrEqual(20)
  })
})
