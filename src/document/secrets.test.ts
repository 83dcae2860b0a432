import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cpuTimeOf } from '../../test/cpu-time.ts'
import { findSecrets, maskSecrets } from './secrets.ts'

/** Joined here, so that no scanner of a code host takes this file's samples for real ones. */
const GITHUB = ['ghp', 'Ab3dE6gH9jK2mN5pQ8sT1vW4xY7zAb3dE6gH'].join('_')
const COMMIT = '0123456789abcdef0123456789abcdef01234567'
const DIGEST = 'ab12'.repeat(16)
const UUID = '550e8400-e29b-41d4-a716-446655440000'

const NEAR_MISSES = [
  'The token bucket refills every second, and its secret is patience.',
  'Password: ask the on-call person.',
  'The token: it is 3 words-and-2 more',
  'tokens=5 and secrets = none and passwords=many',
  'Token\n=====\n\nA heading, underlined.',
  'Secret\n\n= not a label',
  'const options: { token: string; secret?: Uint8Array }',
  '  token: AbortSignal,',
  'token: CancellationToken',
  'password: z.string().min(8),',
  'token: tokens[0].value1',
  'token: process.env.TOKEN_2',
  'secret: my-app-secret-v2',
  'secret: ./keys/2024.pem',
  'token: 2026-02-11T14:30:00Z',
  'max_token: 163840000',
  'secret_key: Uint8Array',
  'password: required',
  'password: optional',
  'password: hunter2',
  'password: argon2id',
  '"password": "required"',
  `"password": "\${DB_PASSWORD_1}"`,
  '"password": "<at least 8 characters>"',
  '"password": "your-password-123"',
  '"api_key": "changeme123"',
  '"token": "********"',
  '"token": "authentication"',
  `token: ${COMMIT}`,
  `secret: ${DIGEST}`,
  `"token": "sha256:${DIGEST}"`,
  `"api_key": "${UUID}"`,
  `The fix is ${COMMIT}, image sha256:${DIGEST}, session ${UUID}.`,
  `https://github.com/a/b/commit/${COMMIT}`,
  `"integrity": "sha512-${'Ab3/+d'.repeat(14)}=="`,
  'The Bearer of news; bearer authentication, Bearer tokens, Bearer (RFC 6750).',
  'Authorization: Bearer <token>',
  'Authorization: Bearer $TOKEN_1',
  'Authorization: Bearer YOUR_TOKEN',
  'Bearer RFC6750',
  'Bearer OAuth2 and bearer OAuth2.0',
  `The bearer ${COMMIT} of the fix, Bearer \`${DIGEST}\`, bearer ${DIGEST}.`,
  `Bearer sha256:${DIGEST}`,
  'Bearer responsibilities, bearer characterization',
  'Basic understanding, basic authentication, Basic CSS',
  'the private key stays in the vault; a private-key file',
  'class="sk-cube-grid-wrapper sk-circle-fade-dot-number-12-inner sk-gridWrapper-outerRing-col2"',
  'sk-main-UI-component-wrapper, sk-fading-circle-3D-inner-wrap and sk-main-HTML-UI-component',
  `sk-${'a'.repeat(19)}`,
  `ghp_${'a'.repeat(19)}`,
  'task-0123456789abcdef0123456789 and disk-0123456789abcdef0123456789',
  `AKIA${'A'.repeat(15)}`,
  'npm_config_registry_of_this_long_name_which_is_none',
  'xoxb-this-is-only-words',
  `cache-${'key'}-management-of-the-registry`,
  'eyJhbGciOiJIUzI1NiJ9 is only a header',
  `https://user:password@example.org, https://user:pass@h, https://u:\${PW}@h, https://u:***@h`,
  'https://example.org:8080/@scope/name and git@github.com:a/b.git',
  `docker://alpine:3.20@sha256:${DIGEST}`,
  'ssh://git@github.com:22/a/b',
]

describe('what is no secret', () => {
  test.each(NEAR_MISSES)('%j', text => {
    expect(findSecrets(text)).toEqual([])
    expect(maskSecrets(text)).toBe(text)
  })

  test('a name of a commit counts where the specification forbids the label itself', () => {
    const [found] = findSecrets(`token=${COMMIT}`)
    expect(found).toMatchObject({ kind: 'assigned secret', span: { start: 6, end: 46 } })
  })
})

describe('what the specification forbids in any form', () => {
  test.each([
    'password=',
    'secret=',
    'token=',
    'api_key=',
    'PASSWORD =',
    'Api_Key\t=',
    'mytoken=',
    'x.secret  = y',
    'token => x',
    'token === x',
    'token=""',
    'token="',
    'token=`',
    "token=',",
    'token=\\"',
    'PRIVATE KEY',
    '-----END PRIVATE KEY-----',
    `sk-${'a'.repeat(20)}`,
    `sk-${UUID}`,
    `ghp_${'a'.repeat(20)}`,
    `AKIA${'A'.repeat(16)}`,
    `ASIA${'7'.repeat(16)}`,
    `Bearer ${UUID}`,
    'Bearer abcdefghijklmnop',
    'Bearer\u00a0mF9B5f41JqM',
    '**Bearer** mF9B5f41JqM',
    'Bearer **mF9B5f41JqM**',
    `Authorization: Bearer ${DIGEST}`,
    `"Authorization": "Bearer ${COMMIT}"`,
    'token\\=x',
    'sk-a1b2c3-d4e5f6-g7h8i9-j0k1l2',
    'sk-ABCDEFGHIJ-KLMNOPQRST-UVW',
    'sk-kqzwmtry7-bnvhsdfg42-plokwexc9',
    'sk-KQZW-MTRY-BNVH-PLOK-WEXC',
  ])('%j', text => {
    expect(findSecrets(text)).toHaveLength(1)
  })
})

describe('order and overlap', () => {
  test('finds stand in the order of the text, and every stretch is found once', () => {
    const text = `a password=hunter2 b ${GITHUB} c https://me:${GITHUB}@h d token="${GITHUB}"`
    const found = findSecrets(text)
    expect(found.map(({ kind }) => kind)).toEqual([
      'assigned secret',
      'GitHub token',
      'GitHub token',
      'GitHub token',
    ])
    expect(found.slice(1).map(({ span }) => text.slice(span.start, span.end))).toEqual([
      GITHUB,
      GITHUB,
      GITHUB,
    ])
    expect(maskSecrets(text)).toBe('a password=… b ghp_… c https://me:ghp_…@h d token="ghp_…"')
  })

  test('the more telling kind takes over all that it overlaps', () => {
    const text = `secret=before-${GITHUB}-after`
    expect(findSecrets(text)).toEqual([
      { kind: 'GitHub token', span: { start: 7, end: text.length }, mask: 'ghp_…' },
    ])
  })

  test('a key is found wherever it stands in a text', () => {
    for (let before = 0; before < 40; before++) {
      const text = `${'é '.repeat(before)}${GITHUB}${' x'.repeat(before % 7)}`
      expect(findSecrets(text).map(({ span }) => span.start)).toEqual([before * 2])
    }
  })
})

const PIECES = [
  'password=',
  'token: ',
  'secret',
  ' = ',
  '"',
  "'",
  '`',
  '\\',
  '\n',
  ' ',
  ':',
  '://',
  '@',
  'Bearer ',
  'basic ',
  'PRIVATE KEY',
  '-----',
  '-----BEGIN ',
  '-----END ',
  'sk-',
  'ghp_',
  'eyJ',
  '.',
  '…',
  `\${X}`,
  '<x>',
  'abcdefgh12',
  GITHUB,
  COMMIT,
  UUID,
]

describe('any text', () => {
  const anyText = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 200 }),
    fc.array(fc.constantFrom(...PIECES), { maxLength: 30 }).map(pieces => pieces.join('')),
  )

  test('gives ordered spans that do not overlap, with masks of at most four characters and a mark', () => {
    fc.assert(
      fc.property(anyText, text => {
        let last = 0
        for (const { span, mask } of findSecrets(text)) {
          expect(span.start).toBeGreaterThanOrEqual(last)
          expect(span.end).toBeGreaterThan(span.start)
          last = span.end
          expect(mask).toMatch(/^[A-Za-z0-9_.-]{0,4}…$/)
        }
        expect(last).toBeLessThanOrEqual(text.length)
      }),
      { numRuns: 2000 },
    )
  })

  test('holds no key any more when masked', () => {
    fc.assert(
      fc.property(anyText, anyText, (before, after) => {
        expect(maskSecrets(before + GITHUB + after)).not.toContain(GITHUB)
      }),
      { numRuns: 2000 },
    )
  })
})

const HOSTILE = [
  ...'ghp_ github_pat_ ops_ey glpat- xoxb- xapp- webhooks/ AIza GOCSPX- ya29. sk_live_ whsec_ npm_ pypi-Ag'.split(
    ' ',
  ),
  ...'SG. SK sk-ant- sk-proj- sk- gsk_ xai- hf_ r8_ AKIA dop_v1_ shpat_ sq0atp- EAAA key- -us lin_api_'.split(
    ' ',
  ),
  ...'hvs. ntn_ glsa_ vcp_ dapi dckr_pat_ figd_ cfut_ tskey- ATATT3 sntrys_ sbp_ PMAK- NRAK- eyJ'.split(
    ' ',
  ),
  ...'pscale_pw_ dp.pt. rubygems_ AGE-SECRET-KEY-1 webhooks/123456789012345/ AccountKey='.split(
    ' ',
  ),
  ...PIECES,
  'password: ',
  'password: aaaaaaaaaaaaaaaa ',
  'token:"',
  'token:x',
  'token=\'x" ',
  'token=\\"',
  'token\t',
  '=\t',
  'password:#',
  'ghs_1_',
  'ghs_1_a.',
  'ghs_1_a.b',
  '-eyJ',
  'eyJaaaaaaaaaaaaaaaa.',
  'SG.aaaaaaaaaaaaaaaa',
  '0123456789abcdef',
  `${'M'.repeat(26)}.`,
  '12345678:A',
  'tskey-a-',
  'bearer ....',
  'authorization: bearer ',
  '://a:',
  '://a:b@',
  `://${'a'.repeat(250)}:`,
  'hooks.slack.com/a/',
  'PRIVATE KEY-----',
  'PRIVATE KEY-----\\n',
  `-----BEGIN PRIVATE KEY-----\n${'A'.repeat(64)}\n`,
  '\u2028',
  ' ',
  'a',
  '=',
  '-',
]

describe('hostile texts', () => {
  test.each(HOSTILE)('100 KB of %j take no time', async piece => {
    for (const end of ['', '\nx', ' x', '"']) {
      const text = piece.repeat(Math.ceil(100_000 / piece.length)) + end
      const ms = await cpuTimeOf(() => findSecrets(text))
      expect(ms).toBeLessThan(2000)
    }
  })

  test.each([
    ['a quoted value', 'token="', 'a'],
    ['a bare value', 'token=', 'a'],
    ['a key block', '-----BEGIN PRIVATE KEY-----\n', `${'A'.repeat(64)}\n`],
    ['a key', 'ghp_', 'a'],
    ['white space', 'token', ' '],
    ['a header', 'basic ', 'a'],
  ])('8 MB of %s exhaust no stack', (_name, before, piece) => {
    const text = before + piece.repeat(8_400_000 / piece.length)
    expect(() => findSecrets(text)).not.toThrow()
  })
})
