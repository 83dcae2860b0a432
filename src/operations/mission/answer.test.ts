import { expect, onTestFinished, test } from 'vitest'
import { openTestFolder } from '../../../test/test-folder.ts'
import { readAnswer } from './answer.ts'

test('a suggested check of an answer is a command that a shell does nothing else with', async () => {
  const folder = openTestFolder()
  onTestFinished(() => folder.remove())
  folder.write('my $(x).json', '[]')
  await expect(readAnswer('my $(x).json', folder.app())).rejects.toMatchObject({
    hint: "run waybill check 'my $(x).json'",
  })
})

test('of an answer from standard input no command is suggested that would look for a file', async () => {
  const folder = openTestFolder()
  onTestFinished(() => folder.remove())
  await expect(readAnswer('-', folder.app())).rejects.toMatchObject({
    message: 'standard input is not one JSON or YAML document',
    hint: expect.stringContaining('write it to a file'),
  })
})
