import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  ANALYSIS,
  codesOf,
  openPair,
  type Pair,
  PRODUCT,
  textOf,
} from '../../test/governed-pair.ts'
import { draftOf } from '../../test/governed-repository.ts'
import { entriesOf } from '../../test/log-entries.ts'
import { text as receiveText } from '../cli/render/receive.ts'
import { text as sendText } from '../cli/render/send.ts'
import approve from './approve.ts'
import init from './init.ts'
import keyRotate from './key-rotate.ts'
import logBundle from './log-bundle.ts'
import logShow from './log-show.ts'
import policyExplain from './policy-explain.ts'
import send from './send.ts'
import trace from './trace.ts'

const plain = (_: string, words: string) => words

let pair: Pair
beforeEach(async () => {
  pair = await openPair()
})
afterEach(() => pair.remove())

/** A handoff by a key that is listed here without a commit. */
async function bringRotated(): Promise<string> {
  const { sender, receiver } = pair
  await keyRotate.run({ holder: PRODUCT }, sender.app())
  sender.commit()
  const shared = sender.git('show', 'HEAD~1:waybill.yaml')
  const own = textOf(receiver, 'waybill.yaml').slice(shared.length)
  receiver.write('waybill.yaml', textOf(sender, 'waybill.yaml') + own)
  return pair.bring()
}

describe('in the environment of another repository', () => {
  afterEach(() => vi.unstubAllEnvs())

  test('what this one has committed says whose key counts', async () => {
    const { sender, receiver } = pair
    const path = await pair.bring()
    const rotated = await bringRotated()
    vi.stubEnv('GIT_DIR', `${sender.root}/.git`)
    vi.stubEnv('GIT_WORK_TREE', receiver.root)
    vi.stubEnv('GIT_INDEX_FILE', `${sender.root}/.git/index`)
    const answer = await pair.receive(rotated)
    expect(codesOf(answer)).toContain('gateway/uncommitted-trust')
    expect(answer.answer).toBe('rejected')
    expect((await pair.receive(path)).attestation?.configuration?.committed).toBe(false)
  })
})

test('what stands in this repository alone for a committed file says nothing of whose key counts', async () => {
  const { receiver } = pair
  const rotated = await bringRotated()
  const blob = receiver.git('hash-object', '-w', 'waybill.yaml').trim()
  receiver.git('replace', receiver.git('rev-parse', 'HEAD:waybill.yaml').trim(), blob)
  expect(receiver.git('show', 'HEAD:waybill.yaml')).toBe(textOf(receiver, 'waybill.yaml'))
  expect(codesOf(await pair.receive(rotated))).toContain('gateway/uncommitted-trust')
})

test('what governs may be a link within the repository, and counts as committed where that is which it leads to', async () => {
  const { receiver } = pair
  mkdirSync(join(receiver.root, 'kept'))
  for (const name of ['waybill.yaml', 'prompt-manifest.json']) {
    renameSync(join(receiver.root, name), join(receiver.root, 'kept', name))
    symlinkSync(`kept/${name}`, join(receiver.root, name))
  }
  receiver.commit()
  const answer = await pair.receive(await pair.bring())
  expect([answer.answer, codesOf(answer)]).toEqual(['accepted', []])
  expect(answer.attestation).toMatchObject({
    configuration: { committed: true },
    manifest: { committed: true },
  })
  expect(codesOf(await pair.receive(await bringRotated()))).toEqual(['gateway/uncommitted-trust'])
})

test('a committed configuration that leads nowhere lists no key', async () => {
  const { receiver } = pair
  const listed = textOf(receiver, 'waybill.yaml')
  rmSync(join(receiver.root, 'waybill.yaml'))
  symlinkSync('../elsewhere.yaml', join(receiver.root, 'waybill.yaml'))
  receiver.commit()
  rmSync(join(receiver.root, 'waybill.yaml'))
  receiver.write('waybill.yaml', listed)
  expect(codesOf(await pair.receive(await pair.bring()))).toEqual(['gateway/uncommitted-trust'])
})

test.each([
  ['does not answer', () => '.git/HEAD', "Git failed to run 'git cat-file'"],
  ['has lost the branch', () => '.git/refs/heads', "Git failed to run 'git ls-tree'"],
  [
    'has lost the file',
    () => {
      const id = pair.receiver.git('rev-parse', 'HEAD:waybill.yaml').trim()
      return `.git/objects/${id.slice(0, 2)}/${id.slice(2)}`
    },
    'Git cannot read waybill.yaml of the commit that is checked out',
  ],
])(
  'where Git %s it is unknown whose key counts, and nothing is received',
  async (_, placeOf, why) => {
    const { receiver } = pair
    const rotated = await bringRotated()
    const place = join(receiver.root, placeOf())
    renameSync(place, `${place}.gone`)
    const message = expect.stringContaining(why)
    await expect(pair.receive(rotated)).rejects.toMatchObject({ code: 'usage', message })
    renameSync(`${place}.gone`, place)
    expect(codesOf(await pair.receive(rotated))).toContain('gateway/uncommitted-trust')
  },
)

describe('a clone that has no key of the source', () => {
  test('sends once the key is rotated there, as the refusal says', async () => {
    const { receiver } = pair
    receiver.write('draft.json', JSON.stringify(draftOf(PRODUCT, ANALYSIS)))
    const refused = await send.run({ path: 'draft.json' }, receiver.app())
    const rotate = /waybill key rotate (\S+)$/.exec(refused.diagnostics[0]?.hint ?? '')?.[1]
    await keyRotate.run({ holder: rotate ?? '' }, receiver.app())
    expect((await send.run({ path: 'draft.json' }, receiver.app())).answer).toBe('sent')
  })

  test('is referred to init where no key is listed', async () => {
    const { receiver } = pair
    const [before = ''] = textOf(receiver, 'waybill.yaml').split('trust:')
    const [, ...listed] = textOf(receiver, 'waybill.yaml').split(/^(?= {2}- )/m)
    const others = listed.filter(entry => !entry.includes(PRODUCT))
    receiver.write('waybill.yaml', `${before}trust:\n${others.join('')}`)
    receiver.write('draft.json', JSON.stringify(draftOf(PRODUCT, ANALYSIS)))
    const refused = await send.run({ path: 'draft.json' }, receiver.app())
    expect(refused.diagnostics[0]).toMatchObject({
      code: 'gateway/no-key',
      hint: expect.stringContaining('waybill init'),
    })
    await init.run({}, receiver.app())
    expect((await send.run({ path: 'draft.json' }, receiver.app())).answer).toBe('sent')
  })
})

describe('a folder for the receipt', () => {
  test.each(['afile/x', '/proc/self/nope', '/proc/self/nope/deeper'])(
    '%s that cannot be made is found out before the id is used up',
    async to => {
      pair.receiver.write('afile', 'x')
      const path = await pair.bring()
      const before = await entriesOf(pair.receiver)
      await expect(pair.receive(path, { to })).rejects.toMatchObject({ code: 'input-output' })
      expect(await entriesOf(pair.receiver)).toEqual(before)
      const { answer, receiptFile } = await pair.receive(path, { to: 'a/new/place' })
      expect([answer, receiptFile?.startsWith('a/new/place/')]).toEqual(['accepted', true])
    },
  )

  test('that stays empty is taken away again', async () => {
    pair.receiver.write('nameless.json', '{}')
    await pair.receive('nameless.json', { to: 'b/new' })
    expect(existsSync(join(pair.receiver.root, 'b'))).toBe(false)
  })
})

test('an envelope in another folder is answered with the line that receives its document', async () => {
  const path = await pair.bring()
  const { root } = pair.receiver
  mkdirSync(join(root, 'in/box'), { recursive: true })
  for (const name of [path, path.replace('.json', '.dsse.json')])
    renameSync(join(root, name), join(root, 'in/box', name))
  const answer = await pair.receive(`in/box/${path.replace('.json', '.dsse.json')}`)
  expect(answer.diagnostics[0]?.hint).toContain(`waybill receive in/box/${path}`)
})

test('a credential that was pasted for an id is in no answer', async () => {
  const token = `ghp_${'aB3dE5gH7jK9mN1pQ3sT5vW7xY9zA1bC3dE5'}`
  await pair.receive(await pair.bring())
  const app = pair.receiver.app()
  const answers = [
    await trace.run({ id: token, as: 'svg' }, app),
    await logShow.run({ about: token }, app),
    await policyExplain.run({ decision: token }, app),
  ]
  for (const answer of answers) {
    expect(JSON.stringify(answer)).not.toContain(token)
    expect(JSON.stringify(answer)).toContain('ghp_…')
  }
})

test('a credential in place of the name of a person is reported as such', async () => {
  const by = `ghp_${'aB3dE5gH7jK9mN1pQ3sT5vW7xY9zA1bC3dE5'}`
  const approving = approve.run({ handoff: 'x.json', by, why: 'read it' }, pair.receiver.app())
  await expect(approving).rejects.toMatchObject({
    message: 'the name in --by looks like a credential',
  })
})

test('quiet output says nothing of a success', async () => {
  pair.sender.write('quiet.json', JSON.stringify(draftOf(PRODUCT, ANALYSIS)))
  const sent = await send.run({ path: 'quiet.json' }, pair.sender.app())
  expect(sendText(sent, plain, pair.sender.app(), true)).toBe('')
  const path = await pair.bring()
  expect(receiveText(await pair.receive(path), plain, pair.receiver.app(), true)).toBe('')
  const again = receiveText(await pair.receive(path), plain, pair.receiver.app(), true)
  expect(again).toContain('✗ rejected')
})

test.each([
  ['steers a terminal', 'read it\u001b[2K'],
  ['turns the order of letters round', 'read it \u202e'],
  ['is not seen', 'read it\u200b'],
])('a reason with a character that %s is not taken', async (_, why) => {
  const approving = approve.run({ handoff: 'x.json', by: 'ada', why }, pair.receiver.app())
  await expect(approving).rejects.toMatchObject({
    ...{ code: 'usage', message: 'the reason contains invisible characters' },
  })
})

test('the refusal of a replay names the entry that takes the place of a receipt which is lost', async () => {
  const path = await pair.bring()
  const first = await pair.receive(path)
  const again = await pair.receive(path)
  const digest = /#([0-9a-f]{64})'/.exec(again.diagnostics[0]?.message ?? '')?.[1]
  expect(digest).toBe(first.receipt.digest)
  const { bundle } = await logBundle.run({ entry: digest ?? '' }, pair.receiver.app())
  expect(JSON.stringify(bundle)).toContain('dsseEnvelope')
})

test('a pipe in the place of a prompt is no file', async () => {
  const { root } = pair.receiver
  const path = await pair.bring()
  rmSync(join(root, `prompts/${PRODUCT}.md`))
  execFileSync('mkfifo', [join(root, `prompts/${PRODUCT}.md`)])
  const { diagnostics } = await pair.receive(path)
  expect(diagnostics.map(({ message }) => message).join()).toContain('does not exist as a file')
})
