import { describe, expect, test } from 'vitest'
import { pairOf, sha256, verifyEd25519 } from '../../test/tree.ts'
import { cosigner } from './cosignature.ts'
import { keyOf, signNote } from './note.ts'
import { COSIGNATURE, ED25519, formatVerifierKey, noteSigner, verifierKey } from './note-key.ts'
import { isQuorumMet, openByPolicy, parsePolicy, type WitnessPolicy } from './witness-policy.ts'

const ORIGIN = 'example.com/log'
const logPair = pairOf(100)
const logKey = verifierKey(sha256, ORIGIN, ED25519, logPair.publicKey)
const LOG = formatVerifierKey(logKey)
const NAMES = ['X1', 'X2', 'X3', 'Y1', 'Y2', 'Y3'] as const
const keys = new Map(
  NAMES.map((name, at) => {
    const pair = pairOf(at + 1)
    return [
      name,
      { pair, key: verifierKey(sha256, `${name}.example`, COSIGNATURE, pair.publicKey) },
    ]
  }),
)
const keyOfWitness = (name: string) => {
  const found = keys.get(name as (typeof NAMES)[number])
  if (!found) throw new Error(name)
  return found
}
const vkey = (name: string) => formatVerifierKey(keyOfWitness(name).key)
const witnesses = NAMES.map(name => `witness ${name} ${vkey(name)}\n`).join('')

/** The example of the specification. */
const EXAMPLE = `
# Two levels of groups
log ${LOG} https://example.com/log
${witnesses}
group X-witnesses 2 X1 X2 X3
\t group Y-witnesses   any Y1\tY2 Y3 \t
group X-and-Y all X-witnesses Y-witnesses
quorum X-and-Y
`

function policyOf(text: string): WitnessPolicy {
  const policy = parsePolicy(sha256, text)
  if ('fault' in policy) throw new Error(policy.fault)
  return policy
}

const TEXT = `${ORIGIN}\n123\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n`
const logSigner = noteSigner(logKey, logPair.sign)
const cosigned = (names: readonly string[], text = TEXT) =>
  signNote(text, [
    logSigner,
    ...names.map(name => {
      const { key, pair } = keyOfWitness(name)
      return cosigner(key, pair.sign, 1_700_000_000)
    }),
  ])

test.each([
  [['X1', 'X2', 'Y1'], true],
  [['X1', 'X3', 'Y2', 'Y3'], true],
  [['X1', 'X2', 'X3', 'Y1', 'Y2', 'Y3'], true],
  [['X1', 'X2', 'X3'], false],
  [['X1', 'Y1', 'Y2', 'Y3'], false],
  [[], false],
])('the quorum of the specification’s example with %j is met: %s', async (names, expected) => {
  const policy = policyOf(EXAMPLE)
  expect(
    isQuorumMet(
      policy,
      names.map(name => keyOf(keyOfWitness(name).key)),
    ),
  ).toBe(expected)
  const opened = await openByPolicy(cosigned(names), policy, verifyEd25519)
  if (expected) expect(opened).toMatchObject({ checkpoint: { origin: ORIGIN, size: 123 } })
  else expect(opened).toEqual({ fault: "the quorum 'X-and-Y' is not met" })
})

test.each([
  ['one witness', `witness X1 ${vkey('X1')}\nquorum X1`, ['X1'], true],
  ['one witness, and it was another', `${witnesses}quorum X1`, ['X2'], false],
  ['none', 'quorum none', [], true],
  [
    'a group in which a name stands for two',
    `${witnesses}group a 1 X1\ngroup b 2 a X2\nquorum b`,
    ['X1', 'X2'],
    true,
  ],
  ['a quorum before further lines', `witness X1 ${vkey('X1')}\nquorum X1\n# end`, ['X1'], true],
])('a quorum of %s', (_, text, names, expected) => {
  const verified = names.map(name => keyOf(keyOfWitness(name).key))
  expect(isQuorumMet(policyOf(text), verified)).toBe(expected)
})

describe('a checkpoint is refused', () => {
  const policy = policyOf(EXAMPLE)
  const good = cosigned(['X1', 'X2', 'Y1'])

  test.each([
    [
      'of a log that the policy does not name',
      good.replaceAll(ORIGIN, 'example.com/other'),
      'has no log example.com/other',
    ],
    [
      'with a bad cosignature of a known witness',
      good.replace(/(X1\.example \S+)..==\n/, '$1AA==\n'),
      'does not verify',
    ],
    ['with a changed size', good.replace('\n123\n', '\n124\n'), 'does not verify'],
    ['that is no note', TEXT, 'between the text'],
    ['that is no checkpoint', signNote('a\n', [logSigner]), 'is not a decimal number'],
  ])('%s', async (_, note, fault) => {
    expect(note).not.toBe(good)
    expect(await openByPolicy(note, policy, verifyEd25519)).toMatchObject({
      fault: expect.stringContaining(fault),
    })
  })

  test('that only witnesses have signed', async () => {
    const { key, pair } = keyOfWitness('X1')
    const note = signNote(TEXT, [cosigner(key, pair.sign, 1)])
    const one = policyOf(`log ${LOG}\nwitness X1 ${vkey('X1')}\nquorum X1\n`)
    expect(await openByPolicy(note, one, verifyEd25519)).toEqual({
      fault: `the log ${ORIGIN} has not signed the checkpoint`,
    })
  })
})

const X1 = `witness X1 ${vkey('X1')}`
const renamed = formatVerifierKey(
  verifierKey(sha256, 'another.example', COSIGNATURE, keyOfWitness('X1').pair.publicKey),
)
const asLog = formatVerifierKey(verifierKey(sha256, ORIGIN, COSIGNATURE, logPair.publicKey))

test.each([
  ['no quorum', X1, 'the policy has no quorum line'],
  ['two quorums', `${X1}\nquorum X1\nquorum none`, 'line 3: the quorum is already set'],
  ['a quorum of two names', `${X1}\nquorum X1 X1`, 'line 2: a quorum line takes one name'],
  ['a quorum that is not defined yet', `quorum X1\n${X1}`, "line 1: 'X1' is not defined above"],
  ['an unknown word', 'Quorum none', "line 1: 'Quorum' is not log, witness, group or quorum"],
  ['a witness without a key', 'witness X1', 'line 1: a key and at most a URL are expected'],
  ['a nameless witness', 'witness', 'line 1: a name is missing'],
  ['three words behind a key', `${X1} https://a b`, 'line 1: a key and at most a URL are expected'],
  ['a witness named none', X1.replace('X1', 'none'), "line 1: 'none' cannot be defined"],
  [
    'one name twice',
    `${X1}\n${X1.replace(vkey('X1'), vkey('X2'))}`,
    "line 2: 'X1' is already defined",
  ],
  [
    'one key under two names',
    `${X1}\nwitness Z ${renamed}`,
    'line 2: the key of another.example is listed twice',
  ],
  ['one log twice', `log ${LOG}\nlog ${LOG}`, `line 2: the key of ${ORIGIN} is listed twice`],
  [
    'a log with a key of a witness',
    `log ${asLog}`,
    `line 1: the key of ${ORIGIN} has signature type 4 instead of 1`,
  ],
  [
    'a witness with a key of a log',
    `witness L ${LOG}`,
    `line 1: the key of ${ORIGIN} has signature type 1 instead of 4`,
  ],
  ['a broken key', `${X1.slice(0, -4)}`, 'line 1: an Ed25519 key has 32 bytes, not 29'],
  ['a member twice', `${X1}\ngroup g 1 X1 X1`, "line 2: 'X1' is a member twice"],
  ['a member of two groups', `${X1}\ngroup g 1 X1\ngroup h 1 X1`, "line 3: 'X1' is a member twice"],
  ['a group of itself', `${X1}\ngroup g 1 g`, "line 2: 'g' is not defined above"],
  ['none as a member', `${X1}\ngroup g 1 none`, "line 2: 'none' is not defined above"],
  ['no member', `${X1}\ngroup g any`, "line 2: 'any' of 0 members is not a valid threshold"],
  [
    'a threshold of nothing',
    `${X1}\ngroup g 0 X1`,
    "line 2: '0' of 1 members is not a valid threshold",
  ],
  [
    'a threshold above its members',
    `${X1}\ngroup g 2 X1`,
    "line 2: '2' of 1 members is not a valid threshold",
  ],
  [
    'a threshold with a zero in front',
    `${X1}\ngroup g 01 X1`,
    "line 2: '01' of 1 members is not a valid threshold",
  ],
  ['a carriage return', `${X1}\r\nquorum X1`, 'line 1: a control character is not allowed'],
  [
    'a control character in a comment',
    '# \u007f\nquorum none',
    'line 1: a control character is not allowed',
  ],
])('a policy with %s is refused', (_, text, fault) => {
  expect(parsePolicy(sha256, text)).toEqual({ fault })
})

test('names that look alike are different names', () => {
  const text = `witness K ${vkey('X1')}\nwitness \u212a ${vkey('X2')}\nquorum \u212a`
  const policy = policyOf(text)
  expect(isQuorumMet(policy, [keyOf(keyOfWitness('X1').key)])).toBe(false)
  expect(isQuorumMet(policy, [keyOf(keyOfWitness('X2').key)])).toBe(true)
})

test('a chain of a hundred thousand groups is decided', () => {
  const groups = Array.from({ length: 100_000 }, (_, at) => `group g${at + 1} all g${at}\n`)
  const text = `witness g0 ${vkey('X1')}\n${groups.join('')}quorum g100000`
  expect(isQuorumMet(policyOf(text), [keyOf(keyOfWitness('X1').key)])).toBe(true)
})
