import { expect, test } from 'vitest'
import { openApp } from '../app.ts'
import missionPause from './mission-pause.ts'
import missionResume from './mission-resume.ts'

const mission = '3f1c9a52-8f0e-4c55-9b1a-6b8f2f0f7a10'
const app = openApp({}, 'test')

test.each([
  ['--as', { as: 'codex' }],
  ['--verified-by', { verifiedBy: 'Ada', note: 'it holds' }],
  ['--note', { note: 'it holds' }],
])('%s is not passed over where a mission is resumed by its id', async (flag, given) => {
  await expect(missionResume.run({ mission, ...given }, app)).rejects.toMatchObject({
    code: 'usage',
    message: `${flag} needs a handoff document`,
  })
})

test.each([
  ['--adr', { adr: 'ADR-0.0.25' }],
  ['--agent', { agent: 'Ada' }],
])('%s is not passed over where a mission is paused without a document', async (flag, given) => {
  await expect(missionPause.run({ mission, ...given }, app)).rejects.toMatchObject({
    code: 'usage',
    message: `${flag} needs --handoff`,
  })
})
