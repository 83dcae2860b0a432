import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { codesOf, openPair } from '../../test/governed-pair.ts'

test('nothing is received without the log, its keys, the manifest or the lock', async () => {
  const pair = await openPair()
  const path = await pair.bring()
  await pair.receive(await pair.bring())
  const without = async (what: string) => {
    const file = join(pair.receiver.root, what)
    renameSync(file, `${file}.away`)
    try {
      return await pair.receive(path)
    } finally {
      renameSync(`${file}.away`, file)
    }
  }
  await expect(without('.waybill/ledger')).rejects.toMatchObject({ code: 'ledger-tampered' })
  await expect(without('.waybill/keys')).rejects.toMatchObject({ code: 'configuration' })
  for (const file of ['prompt-manifest.json', 'prompt-lock.json']) {
    const answer = await without(file)
    expect([answer.answer, codesOf(answer)]).toEqual(['rejected', ['gateway/not-governed']])
  }
  expect((await pair.receive(path)).answer).toBe('accepted')
  pair.remove()
})
